"""Reports of an evaluation: sections made once, written as HTML, Markdown or plain data."""

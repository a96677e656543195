"""Reports of an evaluation: sections built once, written as HTML, Markdown or plain data."""

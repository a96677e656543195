"""The pages: each a function from a call to an answer."""

"""The page handlers: each is a function from a `Call` to a response."""

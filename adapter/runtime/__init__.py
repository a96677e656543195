"""The running service: records go from lanes through workers into transactions; and operations."""

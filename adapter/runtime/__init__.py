"""The running service: lanes of records through workers into transactions, and its upkeep."""

"""Stores of the mart: one schema in any database, opened by the address of the database.

What is landed goes in, in transactions that carry a lane's progress; versions of resources in order
come out, and who is one person. A database is added as a module with the protocol of
`adapter.mart.store.database` and a line in `adapter.mart.store.registry`.
"""

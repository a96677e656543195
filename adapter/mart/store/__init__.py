"""Stores of the mart: one schema in any database, opened by the address of the database.

Landed rows are written in transactions that include a lane's progress; versions of resources are
read in order, with the links of persons. To add a database, add a module with the protocol of
`adapter.mart.store.database` and a line in `adapter.mart.store.registry`.
"""

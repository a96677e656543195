"""Stores of the mart: one schema in any database, which is opened by its URL.

Landed rows are written in transactions that include a lane's progress; versions of resources are
read in order, with the links between numbers of persons. To add a database, add a module that
implements `adapter.mart.store.database`, and a line in `adapter.mart.store.registry`.
"""

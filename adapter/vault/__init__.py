"""The vault of random codes: one module a store, chosen by the URL of its database."""

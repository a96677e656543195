"""The vault of random codes: one module per store, chosen by the URL of its database."""

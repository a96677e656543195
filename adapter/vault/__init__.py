"""The vault of random codes: one store a module, opened by the address of its database."""

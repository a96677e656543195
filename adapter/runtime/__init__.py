"""The running service (lanes, workers, transactions), and operations on its records."""

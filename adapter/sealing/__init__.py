"""Keys and sealing: the key ring, sealed boxes, held records, escrow, audit chains."""

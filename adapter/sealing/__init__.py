"""Keys and what they seal: the key ring, sealed boxes, held records, escrow."""

"""Pure core of judging: items, actions on their spans, and the proposals derived from them."""

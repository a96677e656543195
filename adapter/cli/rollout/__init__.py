"""Commands about rules that are not active yet."""

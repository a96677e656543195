"""Commands about rules that are not at work yet."""

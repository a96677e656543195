"""The way of one message through the parts: `process` is the product on one page.

It takes a record, the compiled rules and what earlier messages said of its patients, and returns
a release or a hold. `tagging` finds protected text, in kept places by `sweeping`; `spreading` looks
for it in all other texts, and `exemptions` lists what stays there. `substitution` writes the
surrogates. `merges` says which numbers of a message belong to one patient from now on.
"""

"""The way of one message through the parts: `process` is the product on one page.

In go a record, the compiled rules and what earlier messages taught; out comes a release or a hold.
`tagging` says where protected text is (`sweeping` in kept places, `spreading` what one text says of
the others, `exemptions` what stays all the same), `substitution` what is written instead,
`merges` which of its numbers are one patient's from now on.
"""

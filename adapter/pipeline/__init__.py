"""The path of one message through the parts.

`process` takes a record, the compiled rules and what earlier messages said about its patients, and
returns a release or a hold. `opening` decodes messages and finds the people they name; `examining`
decides what becomes of each place, and checks for leaks. `tagging` finds protected text, in kept
places by `sweeping`; `spreading` looks for the same text in all other places, and `exemptions`
lists what stays there. `substitution` writes the surrogates. `merges` reports which numbers of a
message belong to one patient from now on.
"""

"""The path of one message through the parts; `process` shows the whole product on one page.

Input: a record, the compiled rules and what is remembered of its patients. Output: a release or a
hold. `tagging` finds protected text, with `sweeping` for kept places, `spreading` for what one text
reveals about the others and `exemptions` for what stays nevertheless. `substitution` decides what
replaces it, and `patient_facts` collects what a message says about its patients.
"""

"""Archives of topics: objects in a format, with names and columns of a sink connector.

`compression` and `formats` turn an object into rows, `names` and `layouts` turn rows into records;
`scan` counts the records and finds gaps of the archive, `lanes` yields them in order of offsets.
"""

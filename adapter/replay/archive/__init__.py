"""Archives of topics: objects in a format, with the names and columns of a sink connector.

`compression` and `formats` turn an object into rows, `names` and `layouts` rows into records;
`scan` counts them and finds what the archive lacks, `lanes` puts them in the order of offsets.
"""

"""FHIRPath as views need it: text goes in, a frozen syntax tree comes out."""

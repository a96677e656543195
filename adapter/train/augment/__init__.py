"""Further training data: annotated notes rewritten with fresh names, dates, numbers and places."""

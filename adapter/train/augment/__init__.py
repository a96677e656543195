"""Additional training data: annotated notes with new names, dates, numbers and places."""

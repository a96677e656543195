"""HTTP: one message per POST, answered once its outcome is committed to files or topics."""

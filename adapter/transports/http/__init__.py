"""HTTP: one message a POST, answered once its outcome is committed to files or topics."""

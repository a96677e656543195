"""Documents inside messages (base64 text, HTML, RTF, C-CDA): bytes in, texts out, and back."""

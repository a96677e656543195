"""The console's web pages: Starlette, Jinja2, htmx. Nothing is loaded from other hosts."""

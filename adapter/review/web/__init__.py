"""The console in a browser: Starlette, Jinja2, htmx. Nothing is fetched from elsewhere."""

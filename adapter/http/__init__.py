"""HTTP requests to services that the settings name: a schema registry, a token endpoint."""

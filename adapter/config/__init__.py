"""Settings: one TOML file and environment variables in, frozen models out."""

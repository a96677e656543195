"""What `check` asks a broker before a run: topics, their configuration, rights, certificates."""

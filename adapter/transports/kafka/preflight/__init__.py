"""The broker checks of `check`: topics, their configuration, rights, certificates."""

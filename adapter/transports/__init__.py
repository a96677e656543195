"""Where records come from and go to: one module per transport, behind one protocol."""

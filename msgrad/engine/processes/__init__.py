"""Processes of one program: start-up, coordination, messages and failures."""

"""Collectives: what the processes of a group compute together, as operations, and the launches that run them."""

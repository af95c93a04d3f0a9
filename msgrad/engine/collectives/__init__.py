"""Collectives between the processes of a group: the operations, and how Programs with them are launched."""

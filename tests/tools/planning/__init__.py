"""`msgrad plan`: its tables, its counts, and plans by a pretended compiler."""

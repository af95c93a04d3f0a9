"""Small functions and Cells of each kind of statement and expression, which MindSpore and msgrad run (`running.py`)."""

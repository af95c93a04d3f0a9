"""Image transforms, and what each computes as a NumPy expression over ``image``: rows that need no MindSpore."""

ROWS = [
    ("Invert()", "255 - image"),
    ("HWC2CHW()", "image.transpose(2, 0, 1)"),
    ("HorizontalFlip()", "image[:, ::-1]"),
    ("Crop((1, 2), (3, 4))", "image[1:4, 2:6]"),
]

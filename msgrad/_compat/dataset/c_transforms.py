"""Names of ``dataset.vision.c_transforms`` of 1.x that 2.x dropped."""

import sys

from ...ops.legacy.left_out import leave_out

_DVPP = "it imitates the decoder of Ascend's chips"

leave_out(
    sys.modules[__name__],
    "dataset.vision.c_transforms",
    [
        (
            "SoftDvppDecodeRandomCropResizeJpeg(size, scale=(0.08, 1.0), ratio=(3. / 4., 4. / 3.), max_attempts=10)",
            (_DVPP, "Use vision.RandomCropDecodeResize."),
        ),
        ("SoftDvppDecodeResizeJpeg(size)", (_DVPP, "Use vision.Decode and vision.Resize.")),
    ],
)

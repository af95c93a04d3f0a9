"""``mindspore.dataset.utils``: reads lines of large files, and draws bounding boxes into images."""

import os

import numpy as np

from ..engine.refusal import refuse, require
from .vision._libraries import opencv

__all__ = ["LineReader", "imshow_det_bbox"]

_FILLING = 0.5  # opacity of a mask


class LineReader:
    """Reads lines of a text file by number, without loading the file.

    Args:
        filename (str): the file.
    Raises:
        TypeError: if it is not a str.  RuntimeError: if there is no such file.
    Source: mindspore.dataset.utils.LineReader
    """

    def __init__(self, filename):
        self.filename = os.path.realpath(require(filename, str, "LineReader", "filename"))
        if not os.path.isfile(self.filename):
            raise RuntimeError(f"For 'LineReader', there is no file {filename!r}.")
        self.offsets, self._file = [0], None
        with open(self.filename, "rb") as file:
            for line in file:
                self.offsets.append(self.offsets[-1] + len(line))
        self.offsets.pop()

    def __getitem__(self, line):
        return self.readline(line)

    def __len__(self):
        return len(self.offsets)

    def len(self):
        """The number of lines, an int."""
        return len(self.offsets)

    def readline(self, line):
        """The line at a number (int, from 1), a str without its newline.

        Raises:
            TypeError: if it is not an int.  ValueError: if there is no such line.
        """
        if not 1 <= require(line, int, "readline", "line") <= len(self.offsets):
            refuse(ValueError, "readline", "line", f"from 1 to {len(self.offsets)}", line)
        if self._file is None:
            self._file = open(self.filename, "rb")
        self._file.seek(self.offsets[line - 1])
        return self._file.readline().decode("utf-8").rstrip("\r\n")

    def close(self):
        """Closes the file; the next line opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self):
        if hasattr(self, "_file"):  # missing if the constructor raised
            self.close()


def imshow_det_bbox(
    image,
    bboxes,
    labels,
    segm=None,
    class_names=None,
    score_threshold=0,
    bbox_color=(0, 255, 0),
    text_color=(203, 192, 255),
    mask_color=(128, 0, 128),
    thickness=2,
    font_size=0.8,
    show=True,
    win_name="win",
    wait_time=2000,
    out_file=None,
):
    """Draws bounding boxes with class names, and masks, into an image.

    Args:
        image (numpy.ndarray): of ``(height, width, 3)`` or ``(3, height, width)``, uint8.
        bboxes (numpy.ndarray): of ``(n, 4)``, left, top, width and height, or ``(n, 5)``, with a score.
        labels (numpy.ndarray): of ``(n, 1)``, ints.
        segm (numpy.ndarray): masks of ``(n, height, width)``. Default: ``None``.
        class_names (list[str] | tuple[str] | dict): of the labels. Default: ``None``.
        score_threshold (float): the smallest score of a box that is drawn. Default: ``0``.
        bbox_color, text_color, mask_color (tuple[int]): blue, green and red. Default: green, pink, purple.
        thickness (int): of lines. Default: ``2``.
        font_size (float): of names. Default: ``0.8``.
        show (bool): whether to show it in a window, which needs OpenCV with GUI support. Default: ``True``.
        win_name (str): of the window. Default: ``"win"``.
        wait_time (int): the time to show it, in milliseconds. Default: ``2000``.
        out_file (str): a file to write it to. Default: ``None``.
    Returns:
        numpy.ndarray, uint8 of ``(height, width, 3)``: blue, green and red.
    Raises:
        ValueError: if the arrays do not match.
    Source: mindspore.dataset.utils.imshow_det_bbox
    """
    owner, cv2 = "imshow_det_bbox", opencv()
    if not isinstance(image, np.ndarray) or image.ndim != 3 or 3 not in (image.shape[0], image.shape[2]):
        refuse(ValueError, owner, "image", "an array of (height, width, 3) or (3, height, width)", image)
    drawn = cv2.cvtColor(
        np.ascontiguousarray(image.transpose(1, 2, 0) if image.shape[0] == 3 else image), cv2.COLOR_RGB2BGR
    )
    masks = () if segm is None else segm
    if any(mask.shape != drawn.shape[:2] for mask in masks):
        refuse(ValueError, owner, "segm", f"masks of {drawn.shape[:2]}, as the image", segm)
    if bboxes is None:
        for mask in masks:
            _fill(drawn, mask, mask_color)
    else:
        if bboxes.ndim != 2 or bboxes.shape[1] not in (4, 5) or np.shape(labels) != (len(bboxes), 1):
            refuse(ValueError, owner, "bboxes", "an array of (n, 4) or (n, 5), with labels of (n, 1)", bboxes)
        for number, (left, top, width, height, *score) in enumerate(bboxes):
            if score and score[0] < score_threshold:
                continue
            corner, opposite = (int(left), int(top)), (int(left + width), int(top + height))
            cv2.rectangle(drawn, corner, opposite, bbox_color, thickness)
            text = _class(class_names, labels[number][0]) + "".join(f"|{each:.02f}" for each in score)
            origin = (corner[0], opposite[1])
            cv2.putText(drawn, text, origin, cv2.FONT_HERSHEY_SIMPLEX, font_size, text_color, thickness)
            if number < len(masks):
                _fill(drawn, masks[number], mask_color)
    if show:
        cv2.imshow(win_name, drawn)
        cv2.waitKey(wait_time)
    if out_file:
        cv2.imwrite(out_file, drawn)
    return drawn


def _class(class_names, label):
    try:
        return str(class_names[label])
    except (IndexError, KeyError, TypeError):
        return f"class {label}"


def _fill(drawn, mask, color):
    inside = mask.astype(bool)
    drawn[inside] = drawn[inside] * (1 - _FILLING) + np.array(color) * _FILLING

"""格式: what labels are written in elsewhere. Reading needs no choice: each file says itself what it is."""

from __future__ import annotations

from vision.labelling.formats import coco, cvat, huggingface, labelme, labelstudio, voc, yolo
from vision.labelling.formats.foreign import LabelFormat

FORMATS: dict[str, LabelFormat] = {
    form.name: form
    for form in (
        yolo.DETECT,
        yolo.OBB,
        coco.COCO,
        voc.VOC,
        labelme.LABELME,
        cvat.CVAT,
        labelstudio.LABEL_STUDIO,
        huggingface.HUGGING_FACE,
    )
}

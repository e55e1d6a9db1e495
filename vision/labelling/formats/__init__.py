"""格式: the formats of labels that are read and written. Import needs no choice: each file shows its own format."""

from __future__ import annotations

from vision.labelling.formats.foreign import LabelFormat
from vision.labelling.formats.lines import cloud, labelbox, ultralytics
from vision.labelling.formats.objects import createml, cvat_backup, datumaro, fiftyone, supervisely, via, vott
from vision.labelling.formats.tables import columns, headless, labelstudio_table, openimages, via_table
from vision.labelling.formats.texts import dota, keras, kitti
from vision.labelling.formats.written import coco, cvat, huggingface, labelme, labelstudio, voc, yolo

FORMATS: dict[str, LabelFormat] = {
    form.name: form
    for form in (
        dota.DOTA,
        kitti.KITTI,
        keras.KERAS,
        yolo.DETECT,
        yolo.OBB,
        coco.COCO,
        voc.VOC,
        labelme.LABELME,
        cvat.CVAT,
        labelstudio.LABEL_STUDIO,
        huggingface.HUGGING_FACE,
        via.VIA,
        createml.CREATE_ML,
        vott.VOTT,
        datumaro.DATUMARO,
        supervisely.SUPERVISELY,
        fiftyone.FIFTY_ONE,
        cvat_backup.CVAT_BACKUP,
        labelbox.LABELBOX,
        ultralytics.ULTRALYTICS,
        cloud.CLOUD,
        labelstudio_table.LABEL_STUDIO_TABLE,
        via_table.VIA_TABLE,
        openimages.OPEN_IMAGES,
        columns.COLUMNS,
        headless.HEADLESS,
    )
}
"""All formats by name; the first that fits a file reads it."""
WRITTEN = {name: form for name, form in FORMATS.items() if form.write is not None}
"""The formats of an export."""

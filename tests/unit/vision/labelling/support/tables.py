"""Small sets whose labels are tables, as other tools write them."""

from __future__ import annotations

import json

from tests.unit.vision.labelling.support.tools import (
    BOXES,
    LABEL_STUDIO_REGIONS,
    PHOTO,
    SHARES,
    Set,
    text,
    via_regions,
)


def csv(header: str, row: str) -> bytes:
    """A table with a row per box; the row is a format of name, x, y, w, h, x2 and y2."""
    rows = [row.format(name=name, x=x, y=y, w=w, h=h, x2=x + w, y2=y + h) for name, (x, y, w, h) in BOXES]
    return text("\n".join([*([header] if header else []), *rows]))


def shares_csv(header: str, row: str) -> bytes:
    """The same in shares of the photo; cx and cy are the middle."""
    rows = [
        row.format(name=name, x=x, y=y, w=w, h=h, x2=x + w, y2=y + h, cx=x + w / 2, cy=y + h / 2)
        for (name, _), (x, y, w, h) in zip(BOXES, SHARES, strict=True)
    ]
    return text("\n".join([*([header] if header else []), *rows]))


VIA_CSV = (
    "filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes\n"
    + "\n".join(
        f'a.png,1234,"{{}}",2,{n},"{json.dumps(region["shape_attributes"]).replace(chr(34), chr(34) * 2)}",'
        f'"{json.dumps(region["region_attributes"]).replace(chr(34), chr(34) * 2)}"'
        for n, region in enumerate(via_regions())
    )
)
VIA_3_CSV = (
    "# Exported using VGG Image Annotator (http://www.robots.ox.ac.uk/~vgg/software/via)\n"
    "# CSV_HEADER = metadata_id,file_list,flags,temporal_coordinates,spatial_coordinates,metadata\n"
    + "\n".join(
        f'"1_{n}","[""a.png""]",0,"[]","{[2, *box]}","{{""tile"":""{name}""}}"' for n, (name, box) in enumerate(BOXES)
    )
)
TABLE_SETS: dict[str, Set] = {
    "tensorflow-csv": {
        "train/_annotations.csv": csv(
            "filename,width,height,class,xmin,ymin,xmax,ymax", "a.png,160,120,{name},{x},{y},{x2},{y2}"
        ),
        "train/a.png": PHOTO,
    },
    "retinanet-csv": {
        "_annotations.csv": csv("", "a.png,{x},{y},{x2},{y2},{name}"),
        "_classes.csv": b"3p,0\n1z,1\n",
        "a.png": PHOTO,
    },
    "makesense-csv": {"labels_x.csv": csv("", "{name},{x},{y},{w},{h},a.png,160,120"), "a.png": PHOTO},
    "makesense-csv-with-header": {
        "labels.csv": csv(
            "label_name,bbox_x,bbox_y,bbox_width,bbox_height,image_name,image_width,image_height",
            "{name},{x},{y},{w},{h},a.png,160,120",
        ),
        "a.png": PHOTO,
    },
    "vott-csv": {
        "vott-csv-export/x-export.csv": csv(
            '"image","xmin","ymin","xmax","ymax","label"', '"a.png",{x}.0,{y}.0,{x2}.0,{y2}.0,"{name}"'
        ),
        "vott-csv-export/a.png": PHOTO,
    },
    "semicolons": {"l.csv": csv("file;label;x1;y1;x2;y2", "a.png;{name};{x};{y};{x2};{y2}"), "a.png": PHOTO},
    "bbox-csv": {
        "l.csv": csv("image_id,width,height,bbox,class", 'a,160,120,"[{x}, {y}, {w}, {h}]",{name}'),
        "a.png": PHOTO,
    },
    "via-csv": {"via.csv": text(VIA_CSV), "a.png": PHOTO},
    "via-3-csv": {"via.csv": text(VIA_3_CSV), "a.png": PHOTO},
    "label-studio-csv": {
        "project-1.csv": text(
            'annotation_id,annotator,created_at,id,image,label,lead_time,updated_at\n1,1,x,1,/data/upload/1/0a1b2c3d-a.png,"'
            + json.dumps(LABEL_STUDIO_REGIONS).replace('"', '""')
            + '",1.5,x'
        ),
        "a.png": PHOTO,
    },
    "shares-csv": {
        "l.csv": shares_csv("image,class,x_center,y_center,width,height", "a.png,{name},{cx},{cy},{w},{h}"),
        "a.png": PHOTO,
    },
    "automl-csv": {"l.csv": shares_csv("", "TRAIN,gs://b/a.png,{name},{x},{y},,,{x2},{y2},,"), "a.png": PHOTO},
    "open-images": {
        "train-annotations-bbox.csv": shares_csv(
            "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded",
            "a,xclick,/m/{name},1,{x},{x2},{y},{y2},0",
        ),
        "class-descriptions-boxable.csv": b"/m/3p,3p\n/m/1z,1z\n",
        "train/a.png": PHOTO,
    },
}

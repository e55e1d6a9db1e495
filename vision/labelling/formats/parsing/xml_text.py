"""XML in and out: read by defusedxml, which refuses entities and outside references; written with every character that
XML allows, and a blank for those it does not."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError, indent, tostring

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from vision.labelling.messages import LabellingError

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def parse_xml(data: bytes) -> Element:
    """The root of a document. Raises LabellingError; an entity is never expanded."""
    try:
        root: Element = fromstring(data, forbid_dtd=True)
    except DefusedXmlException:
        raise LabellingError("xml_entities") from None
    except (ParseError, ValueError, LookupError, RecursionError) as error:
        raise LabellingError("no_xml", reason=str(error)) from None
    return root


def xml_text(root: Element) -> str:
    """The document, indented."""
    for element in root.iter():
        element.text = _NOT_XML.sub(" ", element.text) if element.text else element.text
        for key, value in element.attrib.items():
            element.set(key, _NOT_XML.sub(" ", value))
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"

"""XML in and out. defusedxml reads it and refuses entities and outside references. Characters that XML forbids are
written as blanks."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError, indent, tostring

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from vision.labelling.formats.parsing.encodings import text_of
from vision.labelling.messages import LabellingError
from vision.labelling.messages.faults import parse_fault

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DECLARED = re.compile(rb"""^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?(\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["'])[^>]*\?>""")
_SEVERAL_BYTES = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "cp936": "gb18030",
    "gb18030": "gb18030",
    "big5": "cp950",
    "cp950": "cp950",
    "big5-hkscs": "big5hkscs",
}
"""Encodings that the XML parser does not know, and the codec that reads them."""


def parse_xml(data: bytes) -> Element:
    """The root of a document. Raises LabellingError; an entity is never expanded."""
    try:
        root: Element = fromstring(_as_utf8(data), forbid_dtd=True)
    except DefusedXmlException:
        raise LabellingError("xml_entities") from None
    except (ParseError, ValueError, LookupError, RecursionError) as error:
        raise LabellingError("no_xml", reason=parse_fault(error)) from None
    return root


def _as_utf8(data: bytes) -> bytes:
    """The document in an encoding that the parser knows, without a declaration of another one."""
    declared = _DECLARED.match(data[:400])
    encoding = declared[2].decode("ascii").lower() if declared else "utf-8"
    if encoding in _SEVERAL_BYTES:
        text = data.decode(_SEVERAL_BYTES[encoding])
    elif encoding in ("utf-8", "utf8") and not _is_utf8(data) and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = text_of(data)
    else:
        return data
    return re.sub(r"""^(\s*<\?xml[^>]*?)\sencoding\s*=\s*["'][^"']*["']""", r"\1", text, count=1).encode()


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def xml_text(root: Element) -> str:
    """The document, indented."""
    for element in root.iter():
        element.text = _NOT_XML.sub(" ", element.text) if element.text else element.text
        for key, value in element.attrib.items():
            element.set(key, _NOT_XML.sub(" ", value))
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"

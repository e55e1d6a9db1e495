"""Views that keep a set in order: health, contact sheet, queue, tidying up."""

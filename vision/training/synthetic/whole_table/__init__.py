"""全桌: made photos of whole tables, with the zone and the side of every tile."""

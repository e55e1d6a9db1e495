"""HTTP views: one module a group of pages."""

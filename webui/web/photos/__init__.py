"""照片: what the page keeps of photos until they are recorded, and what it remembers of reading them."""

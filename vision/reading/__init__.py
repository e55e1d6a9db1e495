"""Reading: the pipeline from photo to hand, its checks, suggestions and photo quality."""

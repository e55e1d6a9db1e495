"""The JSON API under `/api`: its routes, schemas and OpenAPI description."""

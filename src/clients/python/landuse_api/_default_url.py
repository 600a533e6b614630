"""Root of the service that a client asks unless told otherwise; in a wheel that a service hands out, its own public address."""

DEFAULT_URL = "http://localhost:8080"

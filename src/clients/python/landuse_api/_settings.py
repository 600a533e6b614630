"""The service, key and timeouts of a client."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

import httpx

from ._default_url import DEFAULT_URL
from ._errors import ConnectionFailure
from ._requests import Policy

SENDABLE = re.compile(r"[\x21-\x7e]+")
"""Keys that a header can contain; the HTTP library's error message would show any other key"""
ADDRESS = re.compile(r"https?://[^\s/]\S*")
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)

try:
    VERSION = version("landuse-api")
except PackageNotFoundError:  # not installed, but read from its source
    VERSION = "source"


@dataclass(frozen=True)
class Settings:
    """The service, key and timeouts of a client."""

    api_key: str
    base_url: str
    timeout: float
    policy: Policy = field(default_factory=Policy)

    @staticmethod
    def of(api_key: str | None, base_url: str | None, timeout: float, policy: Policy) -> Settings:
        """Missing values come from LANDUSE_KEY and LANDUSE_URL."""
        key = (api_key or os.environ.get("LANDUSE_KEY") or "").strip()
        if not key:
            raise ValueError("The client needs a key: LandUse(api_key=…), or the variable LANDUSE_KEY")
        if not SENDABLE.fullmatch(key):
            raise ValueError("The key contains a space, a line break or another character that no key has: copy the key alone")
        url = (base_url or os.environ.get("LANDUSE_URL") or DEFAULT_URL).strip()
        if not ADDRESS.fullmatch(url):
            raise ValueError(f"{url!r} is no address of a service: it begins with http:// or https://")
        return Settings(key, url.rstrip("/").removesuffix("/v1"), timeout, policy)

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.api_key}", "User-Agent": f"landuse-api-python/{VERSION}"}

    def failure(self, error: httpx.RequestError) -> ConnectionFailure:
        if isinstance(error, httpx.TimeoutException):
            why = f"did not answer within {self.timeout:g} s"
        else:
            why = "cannot be reached" if isinstance(error, NOT_SENT) else "broke the answer off"
        return ConnectionFailure(f"{self.base_url} {why}", sent=not isinstance(error, NOT_SENT))

"""The client of the Land Use Intelligence API: `LandUse`, and `AsyncLandUse` for programs with an event loop."""

from ._async_client import AsyncLandUse
from ._client import LandUse
from ._copies import CopyResult, SyncPage
from ._errors import (
    ConnectionFailure,
    CopyError,
    CopyOutOfDate,
    DownloadDamaged,
    JobFailure,
    LandUseError,
    Problem,
    Quote,
    Refusal,
    SearchTooWide,
    WaitTimeout,
    WebhookRejected,
)
from ._frames import to_pandas
from ._generated import *  # noqa: F403 - the types and the refusals of the document, as they are now
from ._options import Representation
from ._requests import Retry
from ._transport import VERSION as __version__
from .webhooks import WebhookEvent, verify_webhook

"""The client of the Land Use Intelligence API: `LandUse`, and `AsyncLandUse` for programs with an event loop."""

from ._async_client import AsyncLandUse as AsyncLandUse
from ._copies import (
    CopyResult as CopyResult,
    SyncPage as SyncPage,
)
from ._errors import (
    ConnectionFailure as ConnectionFailure,
    CopyError as CopyError,
    CopyOutOfDate as CopyOutOfDate,
    DownloadDamaged as DownloadDamaged,
    JobFailure as JobFailure,
    LandUseError as LandUseError,
    Refusal as Refusal,
    SearchTooWide as SearchTooWide,
    WaitTimeout as WaitTimeout,
    WebhookRejected as WebhookRejected,
)
from ._frames import to_pandas as to_pandas
from ._generated import *  # the types and the refusals of the document, as they are now
from ._generated_client import LandUse as LandUse
from ._options import Representation as Representation
from ._requests import Retry as Retry
from ._settings import VERSION
from .webhooks import (
    WebhookEvent as WebhookEvent,
    verify_webhook as verify_webhook,
)

__version__ = VERSION
StatedProblem = Problem
StatedQuote = Quote

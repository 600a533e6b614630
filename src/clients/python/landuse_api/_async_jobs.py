"""Waits for jobs of the service."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from ._async_transport import AsyncTransport
from ._errors import JobFailure, WaitTimeout
from ._resource import Options

POLLS = {"exp": "getExport", "enr": "getEnrichment", "ais": "getAiSearch", "snp": "getSnapshot"}
PENDING = frozenset({"queued", "building", "running"})
GOOD = frozenset({"ready", "completed", "partial"})
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 5.0
LATER = 1.5

Progress = Callable[[Any], None]
"""Called with each state of a job, including the last one"""


async def settle(transport: AsyncTransport, job_id: str, timeout: float | None, on_progress: Progress | None) -> Any:
    """Waits until a job has succeeded. Raises JobFailure, and WaitTimeout after `timeout` seconds."""
    operation = POLLS.get(job_id.split("_")[0])
    if operation is None:
        raise ValueError(f"{job_id} is no job: exports are exp_…, enrichments enr_…, AI searches ais_…, snapshots snp_…")
    until = None if timeout is None else time.monotonic() + timeout
    wait = FIRST_WAIT_SECONDS
    while True:
        answer = await transport.ask(operation, {"id": job_id}, {}, Options())
        job = answer["data"]
        if on_progress:
            on_progress(job)
        if job["status"] in GOOD:
            return job
        if job["status"] not in PENDING:
            raise JobFailure((job["error"] or {}).get("message") or f"{job_id} is {job['status']}", job)
        if until is not None and time.monotonic() + wait > until:
            raise WaitTimeout(f"{job_id} is {job['status']} after {timeout:g} s; it goes on")
        await transport.pause(wait)
        wait = min(wait * LATER, LONGEST_WAIT_SECONDS)


async def submit_and_settle(
    transport: AsyncTransport,
    operation: str,
    body: Mapping[str, object],
    options: Options,
    timeout: float | None,
    on_progress: Progress | None,
) -> Any:
    """Starts a job and waits for it; None if nothing matches and nothing was queued."""
    answer = await transport.ask(operation, {}, body, options)
    job_id = answer["data"].get("id")
    return None if job_id is None else await settle(transport, job_id, timeout, on_progress)

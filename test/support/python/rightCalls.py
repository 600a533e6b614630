"""What a user of the client may write: it type-checks strictly."""

import asyncio

from landuse_api import (
    AsyncLandUse,
    CompactProject,
    ExportJob,
    Filters,
    FullProject,
    InsufficientCredits,
    InvalidFilter,
    LandUse,
    Price,
    StandardProject,
    verify_webhook,
)

boulder: Filters = {"cities": ["Boulder, CO"], "circle": {"lat": 40.0, "lng": -105.2, "radiusMeters": 5000}}


def ask(api: LandUse, states: list[str]) -> list[StandardProject]:
    price: Price = api.count(states=states, dateRange="all")
    if price["creditsRequired"] > 10:
        return []
    names: list[CompactProject] = list(api.search(representation="compact", **boulder))
    whole: list[FullProject] = [one for page in api.sync(representation="full", dateRange="all") for one in page.records]
    jobs: list[ExportJob] = list(api.exports.iterate(limit=10))
    print(len(names), len(whole), len(jobs), api.lists.create(name="Mine", projectIds=[1])["data"]["id"])
    return list(api.search(states=states, sort="acres_highest", max_credits=0))


async def ask_later(key: str) -> int:
    async with AsyncLandUse(key) as api:
        found = [project["projectName"] async for project in api.search(representation="compact", limit=5)]
        answer = await api.projects.get_changes(1)
        return len(found) + (answer["data"]["nextRead"]["credits"] or 0)


def tell(api: LandUse, body: bytes, headers: dict[str, str]) -> str:
    try:
        return verify_webhook(body, headers, "whsec_…")["type"]
    except InsufficientCredits as error:
        return error.details["quote"]["countUrl"] or "no count"
    except InvalidFilter as error:
        return error.details["problems"][0]["message"]


if __name__ == "__main__":
    print(asyncio.run(ask_later("k")))

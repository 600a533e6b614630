"""Calls methods of the client as its test says, one a line, and checks each answer against the type that the method declares."""

import asyncio
import itertools
import json
import sys
import types
import typing
from typing import Any

from landuse_api import AsyncLandUse, LandUse, Refusal, _generated

PAGE = 50
# Of a loop over pages: some of the second page.
ITERATED = PAGE + 10

if sys.version_info < (3, 11):
    import typing_extensions

    _generated.NotRequired, _generated.Unpack = typing_extensions.NotRequired, typing_extensions.Unpack
    get_type_hints = typing_extensions.get_type_hints
    NOT_REQUIRED: Any = typing_extensions.NotRequired
else:
    get_type_hints = typing.get_type_hints
    NOT_REQUIRED = typing.NotRequired

# Named unions are written as text, so that they may name types below them.
for name, alias in list(vars(_generated).items()):
    if isinstance(alias, str) and not name.startswith("_"):
        setattr(_generated, name, typing.get_type_hints(type("Named", (), {"__annotations__": {"alias": alias}}), vars(_generated))["alias"])


def problem(value: object, kind: Any, place: str) -> str | None:
    """Where a value is not what its type says; None where it is."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return None
    if isinstance(kind, (str, typing.ForwardRef)):
        return problem(value, getattr(_generated, kind if isinstance(kind, str) else kind.__forward_arg__), place)
    if origin in (typing.Union, types.UnionType):
        problems = [problem(value, one, place) for one in parts]
        return None if None in problems else max((one for one in problems if one), key=len)
    if origin is typing.Literal:
        return None if value in parts else f"{place}: {value!r} is none of {parts}"
    if origin is list:
        if not isinstance(value, list):
            return f"{place}: {value!r} is no list"
        return next((found for i, one in enumerate(value) if (found := problem(one, parts[0], f"{place}.{i}"))), None)
    if origin is dict:
        return None if isinstance(value, dict) else f"{place}: {value!r} is no object"
    if typing.is_typeddict(kind):
        return problem_of_fields(value, kind, place)
    if kind is float:
        return None if isinstance(value, (int, float)) and not isinstance(value, bool) else f"{place}: {value!r} is no number"
    if kind in (type(None), None):
        return None if value is None else f"{place}: {value!r} is not null"
    return None if type(value) is kind else f"{place}: {value!r} is no {kind.__name__}"


def problem_of_fields(value: object, kind: Any, place: str) -> str | None:
    if not isinstance(value, dict):
        return f"{place}: {value!r} is no object"
    fields = get_type_hints(kind, vars(_generated), include_extras=True)
    for name, declared in fields.items():
        optional = typing.get_origin(declared) is NOT_REQUIRED
        if name not in value:
            if not optional:
                return f"{place}.{name} is missing"
            continue
        if found := problem(value[name], typing.get_args(declared)[0] if optional else declared, f"{place}.{name}"):
            return found
    undeclared = sorted(set(value) - set(fields))
    return f"{place}: {undeclared} are not declared" if undeclared else None


def checked(answer: object, method: Any) -> dict[str, object]:
    found = problem(answer, get_type_hints(method, vars(_generated))["return"], "answer")
    shown = {"bytes": len(answer)} if isinstance(answer, bytes) else {"answer": answer}
    return {**shown, "problem": found}


def each(client: LandUse | AsyncLandUse, call: Any) -> tuple[Any, Any]:
    """The method, and the loop over its pages where there is one."""
    resource = getattr(client, call["resource"])
    name = call["method"]
    first, _, rest = name.partition("_")
    looped = name == "list" or (rest and first in ("list", "get"))
    return getattr(resource, name), getattr(resource, f"iterate_{rest}" if rest else "iterate", None) if looped else None


def call_waiting(key: str, url: str) -> None:
    with LandUse(key, url) as client:
        for line in sys.stdin:
            call = json.loads(line)
            method, loop = each(client, call)
            try:
                outcome = checked(method(*call["path"], **call["values"]), method)
                if loop:
                    outcome["iterated"] = sum(1 for _ in itertools.islice(loop(*call["path"], **{**call["values"], "limit": PAGE}), ITERATED))
            except Refusal as error:
                outcome = {"refused": error.code, "text": str(error)}
            print(json.dumps(outcome), flush=True)


async def call_in_loop(key: str, url: str) -> None:
    async with AsyncLandUse(key, url) as client:
        for line in sys.stdin:
            call = json.loads(line)
            method, loop = each(client, call)
            try:
                outcome = checked(await method(*call["path"], **call["values"]), method)
                if loop:
                    iterated = 0
                    async for _ in loop(*call["path"], **{**call["values"], "limit": PAGE}):
                        iterated += 1
                        if iterated == ITERATED:
                            break
                    outcome["iterated"] = iterated
            except Refusal as error:
                outcome = {"refused": error.code, "text": str(error)}
            print(json.dumps(outcome), flush=True)


if sys.argv[1] == "async":
    asyncio.run(call_in_loop(*sys.argv[2:]))
else:
    call_waiting(*sys.argv[2:])

"""The official client of MCP connects to servers, by a key or by OAuth, and says what it found. Its test is the person's browser: it reads the address
that is to be opened, and answers with the one to which the consent led."""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata


class Memory:
    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def open_browser(url):
    print(url, flush=True)


async def wait_for_callback():
    query = parse_qs(urlsplit((await asyncio.to_thread(sys.stdin.readline)).strip()).query)
    return AuthorizationCodeResult(**{name: query[name][0] for name in ("code", "state", "iss")})


async def use(url, **connection):
    async with httpx2.AsyncClient(**connection) as http, Client(streamable_http_client(url, http_client=http)) as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool("get_credits", {})
        return {"tools": len(tools), "failed": bool(result.is_error), "text": result.content[0].text}


async def main():
    found = []
    for given in json.loads(sys.argv[1]):
        if "key" in given:
            found.append(await use(given["url"], headers={"Authorization": f"Bearer {given['key']}"}))
            continue
        memory = Memory()
        metadata = OAuthClientMetadata(client_name="Official", redirect_uris=["http://127.0.0.1:9/callback"])
        auth = OAuthClientProvider(given["url"], metadata, memory, open_browser, wait_for_callback)
        found.append(await use(given["url"], auth=auth))
        first = memory.tokens
        auth.context.token_expiry_time = 1
        found.append({**await use(given["url"], auth=auth), "refreshed": memory.tokens.access_token != first.access_token})
    print(json.dumps(found))


asyncio.run(main())

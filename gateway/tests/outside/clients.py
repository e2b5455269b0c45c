"""Assay as the Python SDK sees it: both eras, both transports, the same answers.

Usage: clients.py ASSAY URL. Prints one line a client; ends with 1 at the first that sees anything else.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters

TOOLS = ["find_capabilities", "describe_capability", "run_capability", "verify_spec"]
WORKED = {"weapon_damage": 100, "verses": 0.75, "cell_spread": 2.0, "distance": 128}


async def check(name, target, mode):
    seen = []

    async def progress(now, total, message):
        seen.append(now)

    async with Client(target, mode=mode) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS, tools
        ran = await client.call_tool("run_capability", {"name": "compute_damage", "arguments": WORKED})
        data = ran.structured_content["data"]
        assert not ran.is_error and data["breakdown"]["result"] == 75, ran
        wrong = await client.call_tool("run_capability", {"name": "compute_damage", "arguments": {"colour": 1}})
        assert wrong.is_error and wrong.structured_content["errno"] == "EINVAL", wrong
        selection = {"selection": "combat/*"}
        verified = await client.call_tool("verify_spec", selection, progress_callback=progress)
        counts = verified.structured_content["data"]["counts"]
    assert seen and seen == sorted(set(seen)), seen
    print(f"python {name} {mode}: 4 tools, 75 damage, EINVAL, {len(seen)} times progress")
    return json.dumps([data, counts], sort_keys=True)


async def main(binary, url):
    stdio = StdioServerParameters(command=binary, args=["serve"])
    answers = [
        await check(name, target, mode)
        for name, target in (("stdio", stdio), ("http", url))
        for mode in ("auto", "legacy")
    ]
    assert len(set(answers)) == 1, answers


asyncio.run(main(*sys.argv[1:]))

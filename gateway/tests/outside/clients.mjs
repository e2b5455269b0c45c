// Assay as the two TypeScript SDKs see it: every era, both transports, the same answers.
//
// Usage: clients.mjs MODULES ASSAY URL. Prints one line a client; fails at the first that sees anything else.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [modules, binary, url] = process.argv.slice(2);
const { resolve } = createRequire(`${modules}/`);
const load = (name) => import(pathToFileURL(resolve(name)));

const TOOLS = ['find_capabilities', 'describe_capability', 'run_capability', 'verify_spec'];
const WORKED = { weapon_damage: 100, verses: 0.75, cell_spread: 2.0, distance: 128 };

async function check(name, client, transport, old) {
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), TOOLS);
  const call = (name, args, options) => {
    const request = { name, arguments: args };
    return old ? client.callTool(request, undefined, options) : client.callTool(request, options);
  };
  const ran = await call('run_capability', { name: 'compute_damage', arguments: WORKED });
  assert.equal(ran.structuredContent.data.breakdown.result, 75);
  const wrong = await call('run_capability', { name: 'compute_damage', arguments: { colour: 1 } });
  assert.ok(wrong.isError && wrong.structuredContent.errno === 'EINVAL');
  const seen = [];
  const onprogress = ({ progress }) => seen.push(progress);
  const verified = await call('verify_spec', { selection: 'combat/*' }, { onprogress });
  assert.ok(seen.length > 0 && seen.every((now, at) => at === 0 || now > seen[at - 1]), `${seen}`);
  if (transport.sessionId) await transport.terminateSession();
  await client.close();
  console.log(`typescript ${name}: 4 tools, 75 damage, EINVAL, ${seen.length} times progress`);
  return JSON.stringify([ran.structuredContent.data, verified.structuredContent.data.counts]);
}

const identity = { name: 'outside', version: '0' };
const answers = [];
const v2 = await load('@modelcontextprotocol/client');
const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');
for (const [era, options] of [
  ['auto', { versionNegotiation: { mode: 'auto' } }],
  ['legacy', { versionNegotiation: { mode: 'legacy' } }],
  ['default', {}],
]) {
  for (const [name, transport] of [
    ['stdio', new StdioClientTransport({ command: binary, args: ['serve'] })],
    ['http', new v2.StreamableHTTPClientTransport(new URL(url))],
  ]) {
    answers.push(await check(`client 2 ${name} ${era}`, new v2.Client(identity, options), transport, false));
  }
}
const v1 = await load('@modelcontextprotocol/sdk/client/index.js');
const stdio = await load('@modelcontextprotocol/sdk/client/stdio.js');
const http = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
for (const [name, transport] of [
  ['stdio', new stdio.StdioClientTransport({ command: binary, args: ['serve'] })],
  ['http', new http.StreamableHTTPClientTransport(new URL(url))],
]) {
  answers.push(await check(`sdk 1 ${name}`, new v1.Client(identity), transport, true));
}
assert.equal(new Set(answers).size, 1, answers.join('\n'));

import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { choosePorts, freePort, kernelPorts } from './ports.ts';

const names = ['api', 'files', 'admin', 'scheduler'];
const anyPort = Object.fromEntries(names.map((name) => [name, 0]));

test('ports chosen for servers that start later are none that the kernel gives to other programs', async () => {
  const chosen = Object.values(await choosePorts(anyPort, {}));
  expect(new Set(chosen).size).toBe(names.length);
  const { first, last } = kernelPorts();
  expect(chosen.filter((port) => port >= first && port <= last)).toEqual([]);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  expect(port).toBeGreaterThanOrEqual(first);
  expect(port).toBeLessThanOrEqual(last);
});

test('a port is not chosen twice before its server listens, and not where one listens', async () => {
  const [one, other] = [await freePort(), await freePort()];
  expect(other).not.toBe(one);
  const server = createServer().listen(other, '127.0.0.1');
  await once(server, 'listening');
  expect((await choosePorts({ api: other }, {}))['api']).not.toBe(other);
  server.close();
});

test('a part keeps the port of the previous run, unless another one wants it', async () => {
  const previous = await freePort();
  expect(await choosePorts({ api: 0, files: previous }, { api: previous })).toMatchObject({ api: previous });
  expect((await choosePorts({ api: 0, files: previous }, { api: previous }))['files']).not.toBe(previous);
});

test('another copy of the module in this process, as of another test file, does not choose the same port', async () => {
  const name = './ports.ts?copy';
  const copy = (await import(name)) as { freePort: typeof freePort };
  expect(copy.freePort).not.toBe(freePort);
  const chosen = [await freePort(), await freePort()];
  for (let count = 0; count < 50; count += 1) expect(chosen).not.toContain(await copy.freePort());
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { freePort } from '@rapporteur/testbed';
import { startReceiver } from '@rapporteur/testbed/receiver';
import { chartFolder, runProgram } from './helm.ts';

const program = readFileSync(join(chartFolder, 'files/before-uninstall.mjs'), 'utf8');
const run = (address: string) =>
  runProgram(process.execPath, ['--input-type=module', '--eval', program, address], process.env);

/** What the hook does while bot-scheduler responds with this. */
async function runAgainst(status: number, body: unknown) {
  const server = await startReceiver((_call, response) => response.writeHead(status).end(JSON.stringify(body)));
  try {
    return await run(`${server.url}/capacity`);
  } finally {
    await server.close();
  }
}

test('an uninstall is stopped while bots run or wait, and says how many', async () => {
  const { code, output } = await runAgainst(200, { used: 3, queued: 2 });
  expect(code).toBe(1);
  expect(output).toContain('3 bots are in meetings or save their recordings, and 2 wait');
  expect(output).toContain('--no-hooks');
});

test('an uninstall goes on without bots, and where bot-scheduler cannot be reached', async () => {
  expect(await runAgainst(200, { used: 0, queued: 0 })).toMatchObject({ code: 0, output: '' });
  expect((await runAgainst(500, {})).code).toBe(0);
  const { code, output } = await run(`http://127.0.0.1:${await freePort()}/capacity`);
  expect([code, output]).toEqual([0, expect.stringContaining('ECONNREFUSED')]);
});

import { expect, test } from '@jest/globals';
import { inSequences, planFaults } from './faults.ts';

const services = ['gateway', 'scheduler', 'postgres'];
const links = ['gateway>postgres', 'gateway>nats', 'scheduler>nats'];
const rows = [
  { kind: 'kill', times: 12, targets: services, lastsMs: [0, 3_000] },
  { kind: 'freeze', times: 6, targets: services, lastsMs: [1_000, 4_000] },
  { kind: 'cut', times: 5, targets: links, lastsMs: [1_000, 4_000] },
] as const;
const plan = (seed = 7) => planFaults(rows, { seed, pauseMs: [200, 3_000] });

test('a plan has the faults of its rows, and each target of a list has one before one has another', () => {
  for (const { kind, times } of rows) expect(plan().filter((fault) => fault.kind === kind)).toHaveLength(times);
  for (const targets of [services, links]) {
    const hit = plan().flatMap(({ target }) => (targets.includes(target) ? [target] : []));
    expect(new Set(hit.slice(0, targets.length))).toEqual(new Set(targets));
  }
});

test('no fault lasts longer than its row, no pause is shorter than the shortest', () => {
  for (const { kind, lastsMs, pauseMs } of plan()) {
    expect(lastsMs).toBeLessThanOrEqual(kind === 'kill' ? 3_000 : 4_000);
    expect(pauseMs).toBeGreaterThanOrEqual(200);
  }
});

test('the same seed gives the same plan, another one another', () => {
  expect(plan()).toEqual(plan());
  expect(plan(8)).not.toEqual(plan());
});

test('sequences that run at the same time share no target and no client, and have every fault', () => {
  const sequences = inSequences(plan(), 2);
  expect(sequences.flat()).toHaveLength(plan().length);
  const clients = sequences.flatMap((faults) => [...new Set(faults.map(({ target }) => target.split('>')[0]))]);
  expect(new Set(clients).size).toBe(clients.length);
});

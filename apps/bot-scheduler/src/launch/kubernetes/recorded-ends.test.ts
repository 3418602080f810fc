import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { endCodeOfFailedRun } from '@rapporteur/bot-lifecycle';
import { classifyRun } from './classify-run.ts';
import type { RunObjects } from './classify-run.ts';

interface Recorded {
  readonly what: string;
  readonly objects: Pick<RunObjects, 'job' | 'pod' | 'podDeleted'>;
  readonly cause: string;
  readonly endCode: string;
}
// Recorded by ends.cluster.test.ts from a control plane 1.34.
const recorded = JSON.parse(readFileSync(new URL('./recorded-ends.json', import.meta.url), 'utf8')) as Recorded[];

test.each(recorded)('$what is classified as $cause, $endCode', ({ objects, cause, endCode }) => {
  const run = classifyRun({ ...objects, refusal: null, stopped: false, nodeLeavesMs: null, seenAtMs: 0 });
  expect(run?.state).toBe('exited');
  expect(run?.exit?.cause).toBe(cause);
  expect(endCodeOfFailedRun(run?.exit ?? null)).toBe(endCode);
});

import { expect, test } from '@jest/globals';
import { publicDocument } from '@rapporteur/contracts/public-api';
import { withExampleTimes } from './example-times.ts';

const dayMs = 86_400_000;

test.each(['2026-01-01T00:00:00Z', '2028-02-25T23:59:59Z', '2031-12-31T12:00:00Z'])(
  'every example of join_at is within the next 90 days at %s',
  (now) => {
    const nowMs = Date.parse(now);
    const served = withExampleTimes(JSON.stringify(publicDocument), nowMs);
    const examples = [...served.matchAll(/"join_at":"([^"]+)"/g)].map(([, time]) => Date.parse(time ?? ''));
    expect(examples.length).toBeGreaterThan(3);
    for (const time of examples) {
      expect(time).toBeGreaterThan(nowMs + dayMs);
      expect(time).toBeLessThan(nowMs + 90 * dayMs);
    }
  },
);

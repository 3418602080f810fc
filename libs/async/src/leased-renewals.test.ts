import { describe, expect, test } from '@jest/globals';
import { LeasedRenewals } from './leased-renewals.ts';
import type { Renewal, RenewalLease } from './leased-renewals.ts';
import { FakeClock } from './testing.ts';

interface Row {
  token: string | null;
  lease: RenewalLease | null;
}

const leaseMs = 1_000;

/** A row of a database, of which every process has a renewal of its own. */
function underTest() {
  const clock = new FakeClock(0);
  const row: Row = { token: null, lease: null };
  let requests = 0;
  const renewal = (request = async (): Promise<string> => 'new'): Renewal<Row, string, string> => ({
    claim: async (lease) => {
      if (row.lease !== null && row.lease.until > lease.at) return null;
      row.lease = lease;
      return { ...row };
    },
    find: async () => ({ ...row }),
    usable: (one) => one?.token ?? null,
    request: async () => {
      requests += 1;
      return await request();
    },
    keep: async (_row, granted, id) => {
      if (row.lease?.renewal !== id) throw new Error('the lease is lost');
      row.lease = null;
      row.token = granted;
      return granted;
    },
    release: async (id) => {
      if (row.lease?.renewal === id) row.lease = null;
    },
    busy: () => new Error('busy'),
  });
  return { clock, row, renewal, process: () => new LeasedRenewals<string>(clock, leaseMs), requests: () => requests };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a renewal', () => {
  test('is requested once in a process and once among processes, and all get its result', async () => {
    const { clock, renewal, process, requests } = underTest();
    let grant: (token: string) => void = () => undefined;
    const slow = renewal(() => new Promise((resolve) => (grant = resolve)));
    const here = process();
    const both = [here.renew('a', slow), here.renew('a', slow)];
    const elsewhere = process().renew('a', renewal());
    await settled();
    grant('new');
    await clock.advance(leaseMs / 2);
    expect(await Promise.all([...both, elsewhere])).toEqual(['new', 'new', 'new']);
    expect(requests()).toBe(1);
  });

  test('that fails gives its lease back, and the next one is made at once', async () => {
    const { row, renewal, process } = underTest();
    const here = process();
    const failing = renewal(() => Promise.reject(new Error('no response')));
    await expect(here.renew('a', failing)).rejects.toThrow('no response');
    expect(row.lease).toBeNull();
    expect(await here.renew('a', renewal())).toBe('new');
  });

  test('waits no longer than a lease for one that another process has, and takes one that ran out', async () => {
    const { clock, row, renewal, process, requests } = underTest();
    const of = (untilMs: number) => ({ renewal: 'of a process', at: new Date(0), until: new Date(untilMs) });
    row.lease = of(5 * leaseMs);
    const waiting = expect(process().renew('a', renewal())).rejects.toThrow('busy');
    await settled();
    await clock.advance(2 * leaseMs);
    await waiting;
    expect(requests()).toBe(0);
    row.lease = of(clock.now() - 1);
    expect(await process().renew('a', renewal())).toBe('new');
  });

  test('is not requested where another process has made it meanwhile', async () => {
    const { row, renewal, process, requests } = underTest();
    row.token = 'of another process';
    expect(await process().renew('a', renewal())).toBe('of another process');
    expect([row.lease, requests()]).toEqual([null, 0]);
  });
});

import type { CanaryList, FleetReport, PagePackView } from '@rapporteur/contracts';

const at = '2026-11-26T07:00:00.000Z';

/** The views of a deployment in which a platform changes its page, as the console's server returns them. */
export const fleet: FleetReport & { readonly grafanaUrl: null } = {
  at,
  phases: [{ phase: 'in_call_recording', platform: 'meet', bots: 3 }],
  capacity: {
    limit: 8,
    used: 3,
    queued: 0,
    oldestQueuedSeconds: null,
    pending: 0,
    expectedPickupSeconds: 2,
    obstacles: [],
  },
  newestBots: 20_000,
  punctuality: { bots: 4, late: 1, p95Seconds: 2, mostSeconds: 12 },
  hours: [{ at, ended: 4, failed: 1, queued: 2, used: 3 }],
  days: [{ at: '2026-11-26T00:00:00.000Z', ended: 4, failed: 1, queued: 2, used: 3 }],
  platforms: [{ platform: 'meet', ended: 4, failed: 1 }],
  failures: [],
  grafanaUrl: null,
};

const page_packs: PagePackView = {
  platforms: [
    {
      platform: 'meet',
      state: 'overlay',
      version: '2026-11-26.1+request-entry',
      share: 10,
      previous_version: '2026-11-26.1',
      accepted_at: at,
      suspended: null,
    },
    {
      platform: 'teams',
      state: 'suspended',
      version: '2026-11-26.1',
      share: null,
      previous_version: '2026-11-26.1',
      accepted_at: at,
      suspended: { version: '2026-11-26.1+bad', at, message: 'It brought 0 of its first 5 bots into their meetings.' },
    },
  ],
  refused: { reason: 'unsigned', message: 'None of the keys signed it.', at },
  unrecognised: [
    {
      platform: 'teams',
      kind: 'waiting',
      shape: '77f791a086734ea9',
      said: 'The host was informed that you are here.',
      bots: 12,
      since: at,
      last: at,
      examples: [{ bot_id: '0b000000-0000-4000-8000-000000000001', page: 'evidence/0001/page.json' }],
      entry: { rule: 'lobby-text', text: 'The host was informed that you are here.' },
    },
  ],
};

const canary = { interval_seconds: 900, next_run_at: at, running: false } as const;
const run = { bot_id: '0b000000-0000-4000-8000-000000000001', started_at: at, ended_at: at } as const;
const found = { element: 'joinButton', candidate: { index: 4, of: 5 } } as const;
const lost = { element: 'joinButton', candidate: null } as const;
const passed = { result: 'passed', element: null, candidate: null, message: null } as const;

const canaries: CanaryList['canaries'] = [
  {
    ...canary,
    name: 'meet-standing',
    platform: 'meet',
    runs: [
      {
        ...run,
        outcome: 'warning',
        failed_step: null,
        result: {
          message: 'Step page: joinButton was found by candidate 5 of 5 only.',
          page_pack_version: '2026-11-26.1+request-entry',
          steps: [
            { step: 'page', result: 'warning', ...found, message: 'joinButton was found by candidate 5 of 5 only.' },
            { step: 'call', ...passed },
          ],
        },
      },
    ],
  },
  {
    ...canary,
    name: 'teams-standing',
    platform: 'teams',
    runs: [
      {
        ...run,
        outcome: 'failed',
        failed_step: 'page',
        result: {
          message: 'Step page failed: the page could not be operated up to its join control.',
          page_pack_version: '2026-11-26.1',
          steps: [{ step: 'page', result: 'failed', ...lost, message: 'the page could not be operated.' }],
        },
      },
    ],
  },
  { ...canary, name: 'zoom-standing', platform: 'zoom', runs: [] },
];

export const pageChecks = { page_packs, canaries };

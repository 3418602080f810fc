/** A program of this repository, or soak suites. */
export type Step =
  /**
   * A TypeScript file and its parameters; `SEED` is the seed, and `*50` is 50 times the share of the usual size. Lines of
   * its output that match are the result.
   */
  | { readonly program: string; readonly results: RegExp }
  /** Jest suites `*.soak.test.ts` whose paths match one of these patterns, with SOAK_SEED and SOAK_SHARE. */
  | { readonly suites: readonly string[] }
  /** Suites `*.cluster.soak.test.ts` whose paths match, on a real control plane, with the same variables. */
  | { readonly cluster: string; readonly results: RegExp };

/** A long test that `npm run test:soak` runs by name. */
export interface Campaign {
  readonly name: string;
  readonly purpose: string;
  /** On two idle cores. */
  readonly usualMinutes: number;
  readonly steps: readonly Step[];
}

/** In the order of their names. */
export const campaigns: readonly Campaign[] = [
  {
    name: 'api-requests',
    purpose:
      'generated requests to every operation of the API: no response outside of the contract, no 500, memory that stays bounded',
    usualMinutes: 5,
    steps: [{ program: 'tools/api-fuzz/src/main.ts --requests *20000 --seed SEED', results: /^seed \d+: / }],
  },
  {
    name: 'bot-costs',
    purpose: 'what each of 200 bots costs PostgreSQL, NATS and the API server; the figures are in the output',
    usualMinutes: 3,
    steps: [{ suites: ['launch/costs'] }],
  },
  {
    name: 'bot-suites',
    purpose: 'whole bots that are killed, stopped, paused or lack permission to receive video',
    usualMinutes: 9,
    steps: [{ suites: ['apps/bot-runner/src/(?!live-transcript)'] }],
  },
  {
    name: 'bursts',
    purpose:
      '1,000 bots of one second on a real control plane and 10,000 on the fake API server, at 20 and 100 Jobs per second: each joins in that second',
    usualMinutes: 13,
    steps: [{ cluster: 'burst', results: /burst: |failed$/ }, { suites: ['scheduled/burst'] }],
  },
  {
    name: 'calendar-sequences',
    purpose:
      "10,000 sequences of calendar changes with faults, revoked consents, two writers and kills: the provider's events, one bot for each",
    usualMinutes: 50,
    steps: [{ suites: ['apps/calendar-sync/'] }],
  },
  {
    name: 'changes',
    purpose:
      'a sample of each kind of change in CONTRIBUTING.md, applied to a copy: type checking and the tests of the lists name no further file',
    usualMinutes: 8,
    steps: [{ program: 'tools/checks/src/sample-changes/try-samples.ts', results: /^change: / }],
  },
  {
    name: 'chaos',
    purpose:
      'services, NATS and PostgreSQL killed and frozen, the network to both broken, the JetStream store wiped, while bots attend: none lost, doubled or announced wrongly',
    usualMinutes: 40,
    steps: [
      {
        program:
          'tools/chaos/src/main.ts --seed=SEED --bots=*300 --kills=*200 --freezes=*100 --wipes=*50 --network-faults=*100 --at-once=3',
        results: /seed \d+: .* problems/,
      },
    ],
  },
  {
    name: 'cluster-kills',
    purpose:
      '200 kills of schedulers, API server and runners while 1,000 bots run as Jobs: none lost, none twice in a meeting',
    usualMinutes: 25,
    steps: [{ cluster: 'cluster-kills', results: /kills: |failed$/ }],
  },
  {
    name: 'conformance',
    purpose: 'every scenario of the conformance suite on every platform, and generated meetings',
    usualMinutes: 60,
    steps: [
      { program: 'libs/meeting-platforms/src/conformance/matrix.ts --draws *50 --seed SEED', results: /came through/ },
    ],
  },
  {
    name: 'conformance-suites',
    purpose:
      'the whole conformance suite: every scenario, every media check and every layer of signals on every platform',
    usualMinutes: 20,
    steps: [{ suites: ['libs/meeting-platforms/'] }],
  },
  {
    name: 'drains',
    purpose: 'SIGTERM during recordings: nothing is lost, the end is reported once',
    usualMinutes: 50,
    steps: [
      { program: 'tools/bench/src/main.ts drains --times *100 --seed SEED', results: /^\| (?:SIG|lack)|^FAILED/ },
    ],
  },
  {
    name: 'fleet',
    purpose:
      '10,000 bots in their meetings at the same time on a real control plane: lateness, and CPU and memory of each program',
    usualMinutes: 26,
    steps: [{ cluster: 'fleet', results: /fleet: |failed$/ }],
  },
  {
    name: 'frozen',
    purpose:
      'PostgreSQL, NATS and every scheduler frozen for a minute each, and a replica that hangs: no bot ends, and no media is missing',
    usualMinutes: 18,
    steps: [{ suites: ['apps/bot-scheduler/src/lifecycle/', 'tools/chaos/src/real-media'] }],
  },
  {
    name: 'generated-rooms',
    purpose:
      'bots in generated meetings with faults: each ends in time, once, with the right reason, and its recording plays',
    usualMinutes: 60,
    steps: [{ program: 'apps/bot-runner/src/testing/fuzz/fuzz.ts --fuzz *100 --seed SEED', results: /^\d+ rooms/ }],
  },
  {
    name: 'half-hour',
    purpose: 'one bot that records for half an hour: growth of memory per recorded minute',
    usualMinutes: 35,
    steps: [
      {
        program: 'tools/bench/src/main.ts recorder --slope *30 --views speaker_view',
        results: /whole tree|^Goal|^REFUSED|^Too short/,
      },
    ],
  },
  {
    name: 'kills',
    purpose: 'SIGKILL of runners and browsers and lack of memory during recordings: at most the last 4 s are lost',
    usualMinutes: 75,
    steps: [{ program: 'tools/bench/src/main.ts kills --times *50 --seed SEED', results: /^\| (?:SIG|lack)|^FAILED/ }],
  },
  {
    name: 'login-slots',
    purpose:
      '100 bots at once on 3 logins with 20 slots get exactly 60 through two replicas; killed runners and services leak no slot',
    usualMinutes: 3,
    steps: [{ suites: ['tools/chaos/src/login-slots'] }],
  },
  {
    name: 'page-changes',
    purpose:
      'Teams and Zoom change their pages on the whole stack: a canary raises the alert in time, a signed page pack repairs, a bad one is taken back',
    usualMinutes: 8,
    steps: [{ suites: ['tools/e2e/src/page-changes\\.soak'] }],
  },
  {
    name: 'races',
    purpose: 'requests to two gateways at the same moment: limits, caps and tokens are exact',
    usualMinutes: 11,
    steps: [{ program: 'tools/api-fuzz/src/races.ts --rounds *100', results: /rounds, \d+ problems/ }],
  },
  {
    name: 'recorder-suites',
    purpose: 'real-time recordings of fallbacks, codec changes, lost engines and pauses',
    usualMinutes: 6,
    steps: [{ suites: ['libs/recorder/'] }],
  },
  {
    name: 'restore',
    purpose: 'a backup of a running service is restored into empty servers: nothing is lost but what came after it',
    usualMinutes: 2,
    steps: [{ suites: ['tools/chaos/src/restore'] }],
  },
  {
    name: 'saml',
    purpose:
      '1,000 sign-ins at four independent SAML service providers, 200 mutated responses and 500 malformed requests; needs python3 and go',
    usualMinutes: 4,
    steps: [{ suites: ['apps/sso-idp/src/saml/'] }],
  },
  {
    name: 'storage-faults',
    purpose:
      "a team's bucket that refuses, fails, delays, breaks connections or is away for ten minutes during uploads: no fragment lost, no dead link",
    usualMinutes: 25,
    steps: [{ suites: ['tools/bench/src/storage/faults'] }],
  },
  {
    name: 'storage-kills',
    purpose:
      'SIGKILL of runners and of storage-config during direct uploads: at most 4 s lost, no multipart upload is left after the sweep',
    usualMinutes: 6,
    steps: [{ suites: ['tools/bench/src/storage/kills'] }],
  },
  {
    name: 'transcriber-kills',
    purpose:
      '100 kills of the transcriber over 200 jobs, and 12 while it takes requests: no job lost, none submitted twice, no copy left; four hours of audio through each batch provider',
    usualMinutes: 25,
    steps: [{ suites: ['apps/transcriber/'] }],
  },
  {
    name: 'transcripts',
    purpose: '5,000 hostile responses, an hour of live transcription with 20 reconnects',
    usualMinutes: 62,
    steps: [{ suites: ['libs/speech-to-text/src/conformance/hostile', 'apps/bot-runner/src/live-transcript'] }],
  },
];

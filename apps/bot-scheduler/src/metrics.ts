import { endReasons, phases, startObstacles } from '@rapporteur/bot-lifecycle';
import {
  canarySteps,
  degradationSteps,
  platformNames,
  strategyReasons,
  unrecognisedKinds,
} from '@rapporteur/contracts';
import { refusalReasons } from './page-packs/refusal.ts';
import { defineMetrics } from '@rapporteur/service-runtime/metric-definitions';
import type { Handles } from '@rapporteur/service-runtime/metric-definitions';

/** Seconds to hours: a bot waits for minutes and records for hours. */
const longBuckets = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400];

/** Causes for which nothing is launched. */
export const launchRefusals = [
  'quota-exceeded',
  'pod-refused',
  'api-refused',
  'api-unavailable',
  'cpu-pressure',
] as const;

const clusterNames = { boundedBy: 'RAPPORTEUR_KUBERNETES_CLUSTERS', most: 50 } as const;

/** Metrics of this service, in addition to those of the runtime and the bus. */
export const schedulerMetrics = defineMetrics({
  reports: {
    type: 'counter',
    name: 'rapporteur_runner_reports_total',
    unit: 'reports',
    help: 'Reports of runners, by what became of them.',
    labels: { outcome: ['applied', 'unstorable', 'duplicate', 'gap', 'fenced', 'unknown'] },
  },
  launches: {
    type: 'counter',
    name: 'rapporteur_runs_launched_total',
    unit: 'runs',
    help: 'Runs that were launched, by mode; without those that the cluster refused for now.',
    labels: { mode: ['attend', 'finalize'] },
  },
  postponed: {
    type: 'counter',
    name: 'rapporteur_launches_postponed_total',
    unit: 'launches',
    help: 'Launches that the cluster refused for now, by cause; their bots wait in the queue. cause api-refused: the API server refuses the Job; api-unavailable: a rate limit, an error, or no response.',
    labels: { cause: launchRefusals },
  },
  displaced: {
    type: 'counter',
    name: 'rapporteur_runs_displaced_total',
    unit: 'runs',
    help: 'Runs whose node goes (drain, taint, shutdown, preemption) and whose place in the meeting another run takes.',
  },
  notStarted: {
    type: 'gauge',
    name: 'rapporteur_runs_not_started',
    unit: 'runs',
    help: 'Runs that were launched and have not started, by what keeps them from it. obstacle none: nothing is known to. A count of the deployment.',
    labels: { obstacle: ['none', ...startObstacles] },
  },
  launchesRefused: {
    type: 'gauge',
    name: 'rapporteur_launches_refused',
    unit: 'launches',
    help: 'Whether this replica launches no bots for this cause: 1. cause api-refused: the API server refuses the Job, or to list Jobs and pods; api-unavailable: a rate limit, an error, or no response; cpu-pressure: on one machine, while bots get less CPU than they need.',
    labels: { cause: launchRefusals },
  },
  clusterRuns: {
    type: 'gauge',
    name: 'rapporteur_cluster_runs',
    unit: 'runs',
    help: 'Runs of each of several clusters that have not ended, as last observed. A count of the deployment.',
    labels: { cluster: clusterNames },
  },
  clustersReachable: {
    type: 'gauge',
    name: 'rapporteur_clusters_reachable',
    unit: 'clusters',
    help: 'Whether the API of each of several clusters responds to this replica: 1. 0: it does not, and gets no bots.',
    labels: { cluster: clusterNames },
  },
  deaths: {
    type: 'counter',
    name: 'rapporteur_runs_failed_total',
    unit: 'runs',
    help: 'Runs that ended without reporting an end, by cause and by what was done. cause lease_expired: the runner stopped renewing its lease.',
    labels: {
      cause: ['process_ended', 'start_failed', 'lease_expired'],
      outcome: ['launch-again', 'rejoin', 'finalize', 'ended', 'nothing'],
    },
  },
  dueBots: {
    type: 'counter',
    name: 'rapporteur_scheduled_bots_due_total',
    unit: 'bots',
    help: 'Scheduled bots whose join time came, by what became of them.',
    labels: { outcome: ['admitted', 'refused', 'missed'] },
  },
  bots: {
    type: 'gauge',
    name: 'rapporteur_bots',
    unit: 'bots',
    help: 'Bots that have not ended, by phase and platform. A count of the deployment: every replica exposes the same.',
    labels: { phase: phases, platform: platformNames },
  },
  degraded: {
    type: 'gauge',
    name: 'rapporteur_bots_degraded',
    unit: 'bots',
    help: 'Bots that record and get less CPU than they need, by what their recordings give up: frame rate, then frame size, then the incoming video. A count of the deployment.',
    labels: { step: degradationSteps },
  },
  phaseDurations: {
    type: 'histogram',
    name: 'rapporteur_bot_phase_duration_seconds',
    unit: 'seconds',
    help: 'Time that bots spent in a phase, observed when they leave it.',
    labels: { phase: phases, platform: platformNames },
    buckets: longBuckets,
  },
  joinLateness: {
    type: 'histogram',
    name: 'rapporteur_bot_join_lateness_seconds',
    unit: 'seconds',
    help: 'Time from join_at (scheduled) or from the request (immediate) until the bot begins to join; 0: in time.',
    labels: { start: ['scheduled', 'immediate'], platform: platformNames },
    buckets: [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600],
  },
  ends: {
    type: 'counter',
    name: 'rapporteur_bots_ended_total',
    unit: 'bots',
    help: 'Bots that ended, by end reason of specification 7.2.',
    labels: { platform: platformNames, code: Object.keys(endReasons), outcome: ['completed', 'failed'] },
  },
  recorded: {
    type: 'counter',
    name: 'rapporteur_recorded_seconds_total',
    unit: 'seconds',
    help: 'Length of stored recordings.',
    labels: { platform: platformNames },
  },
  lostMedia: {
    type: 'counter',
    name: 'rapporteur_lost_media_seconds_total',
    unit: 'seconds',
    help: 'Time that stored recordings do not hold: gapMs of their integrity reports.',
    labels: { platform: platformNames },
  },
  strategySwitches: {
    type: 'counter',
    name: 'rapporteur_capture_strategy_switches_total',
    unit: 'switches',
    help: 'Switches to another capture strategy in stored recordings, by reason: a layer of signals of the platform was lost.',
    labels: { platform: platformNames, media: ['video', 'audio'], reason: strategyReasons },
  },
  queued: {
    type: 'gauge',
    name: 'rapporteur_queued_bots',
    unit: 'bots',
    help: 'Bots that are due and wait for a launch. A count of the deployment.',
  },
  oldestQueued: {
    type: 'gauge',
    name: 'rapporteur_oldest_queued_bot_seconds',
    unit: 'seconds',
    help: 'Time since the bot that waits longest for its start was due, however often it was launched; 0: none waits.',
  },
  slotsUsed: {
    type: 'gauge',
    name: 'rapporteur_bot_slots_used',
    unit: 'bots',
    help: 'Runs that hold a place under maxConcurrentBots. A count of the deployment.',
  },
  slots: {
    type: 'gauge',
    name: 'rapporteur_bot_slots',
    unit: 'bots',
    help: 'maxConcurrentBots: bots that may run at the same time.',
  },
  pagePacks: {
    type: 'gauge',
    name: 'rapporteur_page_packs',
    unit: 'page packs',
    help: 'What bots of a platform use: the built-in page pack, an overlay of the operator, or, since that did worse (suspended), the one before. 1: this. The same on every replica.',
    labels: { platform: platformNames, state: ['built-in', 'overlay', 'suspended'] },
  },
  pagePackRefused: {
    type: 'gauge',
    name: 'rapporteur_page_pack_refused',
    unit: 'readings',
    help: 'Whether the newest reading of page packs of the operator was refused: 1; the last good ones stay in use. The same on every replica.',
    labels: { reason: refusalReasons },
  },
  candidateMatches: {
    type: 'counter',
    name: 'rapporteur_page_candidate_matches_total',
    unit: 'matches',
    help: 'Elements that ended runs found on a page, by the place of the matching candidate in its list of the page pack. pack: built-in, or with an overlay. place last: no candidate is left.',
    labels: {
      platform: platformNames,
      pack: ['built-in', 'overlay'],
      element: { boundedBy: 'the elements of the built-in page packs', most: 60 },
      place: ['first', 'later', 'last'],
    },
  },
  unrecognised: {
    type: 'counter',
    name: 'rapporteur_bots_ended_unrecognised_total',
    unit: 'bots',
    help: 'Bots that ended on a page that was not recognised. kind waiting: in vain on a page of which nothing is known; refused: by a page in unknown words; unusable: on a page that could not be operated.',
    labels: { platform: platformNames, kind: unrecognisedKinds },
  },
  canaryRuns: {
    type: 'counter',
    name: 'rapporteur_canary_runs_total',
    unit: 'runs',
    help: 'Canaries that ended, by outcome. warning: an element was found by a late candidate. skipped: the page was not checked, because of the meeting or of this deployment.',
    labels: { platform: platformNames, outcome: ['passed', 'warning', 'failed', 'skipped'] },
  },
  canaryFailures: {
    type: 'gauge',
    name: 'rapporteur_canary_failures',
    unit: 'runs',
    help: 'Runs in a row, up to the newest, in which a canary failed at this step; no value: its newest run did not fail. The same on every replica.',
    labels: {
      canary: { boundedBy: 'RAPPORTEUR_CANARIES', most: 30 },
      platform: platformNames,
      step: canarySteps,
      element: { boundedBy: 'the elements of the built-in page packs', most: 60 },
    },
  },
  canaryLate: {
    type: 'gauge',
    name: 'rapporteur_canary_warnings',
    unit: 'canaries',
    help: 'Whether the newest run of a canary found an element by a late candidate of the page pack: 1. The same on every replica.',
    labels: { canary: { boundedBy: 'RAPPORTEUR_CANARIES', most: 30 }, platform: platformNames },
  },
  cpu: {
    type: 'counter',
    name: 'rapporteur_bot_cpu_seconds_total',
    unit: 'seconds',
    help: 'Processor time of ended bots: runner, browser and encoders.',
    labels: { platform: platformNames },
  },
  uploaded: {
    type: 'counter',
    name: 'rapporteur_bot_uploaded_bytes_total',
    unit: 'bytes',
    help: 'Bytes that ended bots stored.',
    labels: { platform: platformNames },
  },
});

export type SchedulerCounters = Handles<typeof schedulerMetrics>;

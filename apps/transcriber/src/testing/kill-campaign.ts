import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceProcesses, waitFor } from '@rapporteur/testbed';
import { join } from 'node:path';
import { newRequest, putObject, startSurroundings } from './transcriber-under-test.ts';
import type { Surroundings } from './transcriber-under-test.ts';

export interface KillCampaign {
  readonly jobs: number;
  readonly kills: number;
  readonly seed: number;
  /** Condition for the first kill: requests are on the bus, or jobs are stored. */
  readonly strikes: 'requests' | 'jobs';
}

export interface KillResult {
  readonly completed: number;
  readonly kills: number;
  /** Repeated submissions of an audio file. */
  readonly repeated: number;
  /** Copies that were not deleted. */
  readonly left: number;
}

/** Providers whose jobs can be found again, so that no crash submits a job twice. */
const providers = ['gladia', 'assemblyai', 'speechmatics', 'soniox'] as const;
const longestPauseMs = 400;

/** Kills the transcriber at random moments while it works, and returns the results of the jobs. */
export async function runKillCampaign({ jobs, kills, seed, strikes }: KillCampaign): Promise<KillResult> {
  const surroundings = await startSurroundings();
  const processes = serviceProcesses(join(import.meta.dirname, '..', 'main.ts'));
  const environment = { ...surroundings.environment, RAPPORTEUR_LEASE_MS: '1000' };
  const random = randomOf(seed);
  // Longer than the pause before a kill, so that no job ends before the first one.
  surroundings.providers.providers.jobs.processingMs = strikes === 'jobs' ? 2 * longestPauseMs : 100;
  try {
    const requestIds = await requestAll(surroundings, jobs);
    for (let kill = 0; kill < kills; kill += 1) {
      const service = await processes.start(environment);
      if (strikes === 'jobs') await surroundings.waitForJobs(requestIds.length);
      await sleep(random() * longestPauseMs);
      await service.end('SIGKILL');
    }
    await processes.start(environment);
    await waitFor(() => requestIds.every((id) => surroundings.ends.has(id)), {
      what: 'the end of every job',
      timeoutMs: 60_000 + jobs * 1_000,
    });
    for (const id of requestIds) await surroundings.waitForRest(id);
    const counts = providers.map((name) => surroundings.providers.counts(name));
    return {
      completed: requestIds.filter((id) => surroundings.ends.get(id)?.outcome === 'completed').length,
      kills,
      repeated: counts.reduce((sum, { repeated }) => sum + repeated, 0),
      left: counts.reduce((sum, { left }) => sum + left, 0),
    };
  } finally {
    await processes.killAll();
    await surroundings.stop();
  }
}

async function requestAll(surroundings: Surroundings, jobs: number): Promise<string[]> {
  const ids: string[] = [];
  for (let job = 0; job < jobs; job += 1) {
    const botId = randomUUID();
    const content = randomBytes(300);
    const file = { kind: 'audio', key: 'artifacts/audio.flac', content, contentType: 'audio/flac' } as const;
    const artifacts = [putObject(surroundings, botId, file)];
    const provider = providers[job % providers.length] ?? 'gladia';
    ids.push(await surroundings.request({ botId, artifacts, choice: { ...newRequest().choice, provider } }));
  }
  return ids;
}

/** A number from 0 to 1, reproducible by seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

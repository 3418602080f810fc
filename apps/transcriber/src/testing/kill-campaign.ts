import { randomBytes, randomUUID } from 'node:crypto';
import { injectFaults, planFaults, serviceProcesses, waitFor } from '@rapporteur/testbed';
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
  // Longer than the pause before a kill, so that no job ends before the first one.
  surroundings.providers.providers.jobs.processingMs = strikes === 'jobs' ? 2 * longestPauseMs : 100;
  try {
    const requestIds = await requestAll(surroundings, jobs);
    const start = async () => {
      const started = await processes.start(environment);
      if (strikes === 'jobs') await surroundings.waitForJobs(requestIds.length);
      return started;
    };
    let service = await start();
    const rows = [{ kind: 'kill', times: kills, targets: ['transcriber'] }];
    await injectFaults(planFaults(rows, { seed, pauseMs: [0, longestPauseMs] }), async () => {
      await service.end('SIGKILL');
      service = await start();
    });
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

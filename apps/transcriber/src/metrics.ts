import type { Database } from '@rapporteur/database';
import { defineMetrics } from '@rapporteur/service-runtime/metric-definitions';
import type { Handles } from '@rapporteur/service-runtime/metric-definitions';

/** Metrics of this service, in addition to those of the runtime, the bus and the providers. */
export const transcriberMetrics = defineMetrics({
  ended: {
    type: 'counter',
    name: 'rapporteur_transcriptions_ended_total',
    unit: 'transcriptions',
    help: 'Transcriptions that ended, by provider and outcome.',
    labels: {
      provider: { boundedBy: 'providers of libs/speech-to-text', most: 12 },
      outcome: ['completed', 'failed'],
    },
  },
  jobs: {
    type: 'gauge',
    name: 'rapporteur_transcription_jobs',
    unit: 'jobs',
    help: 'Transcriptions that have not ended. A count of the deployment.',
  },
  oldestDue: {
    type: 'gauge',
    name: 'rapporteur_oldest_due_transcription_seconds',
    unit: 'seconds',
    help: 'Time for which the oldest due transcription has waited for a worker; 0: none waits.',
  },
});

export type TranscriberMeasurements = Handles<typeof transcriberMetrics>;

/** Reads the gauges of the deployment. */
export async function readTranscriptionGauges(
  database: Database,
  { jobs, oldestDue }: Omit<TranscriberMeasurements, 'ended'>,
): Promise<void> {
  const [row] = await database.query<{ jobs: number; late: number | null }>(
    `select count(*)::int as jobs,
       extract(epoch from now() - min(due_at) filter (where due_at <= now() and lease_id is null))::float8 as late
     from transcription_jobs where state <> 'ended'`,
  );
  jobs.set({}, row?.jobs ?? 0);
  oldestDue.set({}, row?.late ?? 0);
}

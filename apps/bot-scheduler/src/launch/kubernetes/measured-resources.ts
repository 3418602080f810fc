import type { MeetingPlatformName } from '@rapporteur/contracts';

type Measured = Readonly<Partial<Record<MeetingPlatformName, Readonly<Partial<Record<string, Amounts>>>>>>;
interface Amounts {
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}

/** Fragments that wait for their upload, and the pages' cache. */
const disk = { requests: { 'ephemeral-storage': '4Gi' }, limits: { 'ephemeral-storage': '8Gi' } };

/** No CPU limit: throttled media loses frames. The memory limit has room for pages that are heavier than those measured. */
function amountsOf(cpu: string, memory: string): Amounts {
  return { requests: { cpu, memory, ...disk.requests }, limits: { memory: '2Gi', ...disk.limits } };
}

/** For runs without a measurement. */
export const usualResources = amountsOf('1', '2Gi');

/** By platform and recording mode: the table of docs/operating.md, "Size". */
export const measuredResources: Measured = {
  meet: {
    speaker_view: amountsOf('500m', '1.25Gi'),
    gallery_view: amountsOf('1', '1.25Gi'),
    audio_only: amountsOf('350m', '1.25Gi'),
  },
  teams: { speaker_view: amountsOf('500m', '1.25Gi'), audio_only: amountsOf('250m', '1Gi') },
  zoom: { speaker_view: amountsOf('750m', '1.5Gi'), audio_only: amountsOf('350m', '1.25Gi') },
};

import { describe, expect, test } from '@jest/globals';
import type { Artifact } from '@rapporteur/contracts';
import { planParts } from './plan-parts.ts';

const file = (kind: Artifact['kind'], contentType: string, over: Partial<Artifact> = {}): Artifact => {
  return { kind, key: kind, contentType, bytes: 1_000, sha256: '', ...over };
};
const own = (id: number, speechSeconds: number, bytes = 1_000): Artifact =>
  file('participant_audio', 'audio/ogg', { key: `p${id}`, bytes, participant: { id, name: `P${id}`, speechSeconds } });
const mixes = [file('audio_m4a', 'audio/mp4'), file('audio', 'audio/flac')];
const minutes = (count: number): number => count * 60_000;
const turn = (startMs: number, endMs: number) => ({ speaker: 'P1', startMs, endMs });
const report = (sharedMs: number | null, unownedMs: number | null): string =>
  JSON.stringify({ participantAudio: { state: 'recorded', sharedMs, unownedMs } });
const plan = (
  over: { artifacts: Artifact[]; provider?: string; durationMs?: number },
  facts: { timeline?: ReturnType<typeof turn>[]; integrity?: string | null } = {},
) => {
  const { artifacts, provider = 'gladia', durationMs = minutes(60) } = over;
  const request = { artifacts, durationMs, choice: { provider, region: null, customParams: {}, keyField: null } };
  return planParts(request, { timeline: [], integrity: null, ...facts }).map(({ audioKey, fromMs, toMs }) => [
    audioKey,
    fromMs,
    toMs,
  ]);
};
const whole = (key: string) => [key, null, null];

describe("participants' own files", () => {
  const artifacts = [own(1, 300), own(2, 0), ...mixes];
  test.each([
    ['that cover what was said', report(1_000, 2_000), [turn(0, 310_000)], 'p1'],
    ['beside a shared screen with audio', report(0, 600_000), [turn(0, 300_000)], 'audio_m4a'],
    ['with speakers of one track', report(60_000, 0), [turn(0, 300_000)], 'audio_m4a'],
    ['that lack speech of the diarization', report(0, 0), [turn(0, 300_000), turn(400_000, 900_000)], 'audio_m4a'],
    ['of a run that did not report', report(null, null), [turn(0, 300_000)], 'audio_m4a'],
    ['without a readable report', 'no JSON', [turn(0, 300_000)], 'audio_m4a'],
  ])('%s', (_what, integrity, timeline, used) => {
    expect(plan({ artifacts }, { integrity, timeline })).toEqual([whole(used)]);
  });

  test('are all there is without a mixed one', () => {
    expect(plan({ artifacts: [own(1, 3)] })).toEqual([whole('p1')]);
  });
});

describe('audio beyond the limits of a provider', () => {
  test('is cut in the pauses near equal parts', () => {
    const timeline = [turn(0, minutes(78)), turn(minutes(82), minutes(158)), turn(minutes(162), minutes(240))];
    const parts = plan({ artifacts: mixes, durationMs: minutes(240) }, { timeline });
    expect(parts).toEqual([
      ['audio', 0, minutes(120)],
      ['audio', minutes(120), minutes(240)],
    ]);
    const paused = [turn(0, minutes(119)), turn(minutes(119) + 20_000, minutes(240))];
    expect(plan({ artifacts: mixes, durationMs: minutes(240) }, { timeline: paused })[0]).toEqual([
      'audio',
      0,
      minutes(119) + 10_000,
    ]);
  });

  test.each([
    ['gladia', 135, 1],
    ['gladia', 136, 2],
    ['soniox', 299, 1],
    ['soniox', 600, 3],
    ['assemblyai', 599, 1],
  ])('of %s: %i minutes are %i parts', (provider, length, count) => {
    expect(plan({ artifacts: mixes, provider, durationMs: minutes(length) })).toHaveLength(count);
  });

  test('is measured in bytes, too, and parts join without a gap', () => {
    const artifacts = [
      file('audio_m4a', 'audio/mp4', { bytes: 43_000_000 }),
      file('audio', 'audio/flac', { bytes: 77_000_000 }),
    ];
    const parts = plan({ artifacts, provider: 'openai-compatible' });
    expect(parts).toHaveLength(4);
    expect(parts.map(([, from]) => from).slice(1)).toEqual(parts.map(([, , to]) => to).slice(0, -1));
    expect([parts[0]?.[1], parts.at(-1)?.[2]]).toEqual([0, minutes(60)]);
  });

  test("is cut of a participant's own file as well", () => {
    expect(plan({ artifacts: [own(1, 900, 60_000_000)], provider: 'openai-compatible' })).toHaveLength(3);
  });
});

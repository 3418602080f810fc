import { modeOf } from '@rapporteur/speech-to-text/providers';

const remindedDays = 60;
const dayMs = 86_400_000;

/** A null model: a change of what the vendor uses without a named one. */
const announcedEnds = [
  { api: 'assemblyai', mode: 'batch', model: null, on: '2026-12-08' },
  { api: 'openai-compatible', mode: 'batch', model: 'whisper-1', on: '2027-02-26' },
  { api: 'openai-compatible', mode: 'batch', model: 'gpt-4o-transcribe', on: '2027-02-26' },
  { api: 'openai-compatible', mode: 'batch', model: 'gpt-4o-mini-transcribe', on: '2027-02-26' },
  { api: 'openai-compatible', mode: 'batch', model: 'gpt-4o-transcribe-diarize', on: '2027-02-26' },
] as const;

/** Announced ends of speech models: a problem when a current default has ended, a reminder before. */
export function findEnds(nowMs: number) {
  const problems: string[] = [];
  const reminders: string[] = [];
  for (const { api, mode, model, on } of announcedEnds) {
    const days = Math.ceil((Date.parse(on) - nowMs) / dayMs);
    const current: readonly (string | null)[] = [modeOf(api, mode)?.model?.current ?? null].flat();
    const isUsed = current.includes(model);
    const what = `${api} (${mode}): ${model ?? 'the default without a named model'} ends on ${on}`;
    if (isUsed && days <= 0)
      problems.push(`${what}. Name another current default in libs/speech-to-text/src/providers.ts.`);
    else if (days > 0 && days <= remindedDays)
      reminders.push(
        `${what}, in ${days} days; ${isUsed ? 'it is the current default here' : 'it is no default here'}.`,
      );
  }
  return { problems, reminders };
}

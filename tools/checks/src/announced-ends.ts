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

/** Reminders of announced ends of speech models. They never fail a build: a build of today passes on any later day. */
export function endReminders(nowMs: number): string[] {
  return announcedEnds.flatMap(({ api, mode, model, on }) => {
    const days = Math.ceil((Date.parse(on) - nowMs) / dayMs);
    const current: readonly (string | null)[] = [modeOf(api, mode)?.model?.current ?? null].flat();
    if (days > remindedDays || (days <= 0 && !current.includes(model))) return [];
    const use = current.includes(model)
      ? 'it is the current default here: name another one in libs/speech-to-text/src/providers.ts'
      : 'it is no default here';
    const when = days > 0 ? `ends on ${on}, in ${days} days` : `ended on ${on}`;
    return [`${api} (${mode}): ${model ?? 'the default without a named model'} ${when}; ${use}.`];
  });
}

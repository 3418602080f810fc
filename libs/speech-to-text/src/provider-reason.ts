import { SpeechToTextFailure } from './failure.ts';
import type { SpeechToTextFailureKind } from './failure.ts';
import { parseBoundedJson } from './json-text.ts';

const readCharacters = 2_000;
const shownCharacters = 200;
/** Addresses, and runs of letters and digits that are long enough for a key or a signature. */
const secretLike = /https?:\/\/[^\s"']+|[\w+/=.-]{24,}/g;
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** A provider's message for customers: shortened, without addresses and without anything like a key. */
export function reasonOf(text: string): string {
  const plain = text
    .slice(0, readCharacters)
    .toWellFormed()
    .replaceAll(unprintable, ' ')
    .replaceAll(secretLike, '…')
    .trim();
  return plain.length <= shownCharacters ? plain : `${plain.slice(0, shownCharacters).toWellFormed().trimEnd()}…`;
}

/** Messages of providers and common servers for audio without speech. */
const noSpeech =
  /\bno (?:spoken|speech|voice|audible)\b|\bspeech (?:was )?not (?:found|detected)\b|\barg is an empty sequence\b/i;

/** The failure of a job that the provider took: `failed`, where its reason states no other kind. */
export function failedJob(name: string, reason: string | null | undefined): SpeechToTextFailure {
  const words = reasonOf(reason ?? '');
  const message = `${name} could not transcribe the audio${words === '' ? '.' : `: ${words}`}`;
  const kind = statedKind(words) ?? 'failed';
  // The job has ended: the same one will not succeed later.
  return new SpeechToTextFailure(kind === 'temporary' ? 'failed' : kind, message);
}

/** What a refusal says decides over its status, which vendors use differently. */
const refusals: readonly { readonly says: RegExp; readonly kind: SpeechToTextFailureKind }[] = [
  { says: noSpeech, kind: 'no-speech' },
  {
    says: /\btoo many (?:\w+ )?(?:requests|sessions|connections|streams|jobs)\b|\bconcurren\w+ (?:\w+ )?(?:limit|quota|requests|sessions)\b|\brate[ _]limit/i,
    kind: 'temporary',
  },
  {
    says: /insufficient_(?:quota|funds|balance|credit)|\b(?:exceeded your current quota|check your plan|out of credits?|no credits? left|not enough credits?|insufficient (?:funds|balance|credits?)|payment[ _]required|credit balance)\b/i,
    kind: 'credentials',
  },
  {
    says: /\b(?:maximum content size|too (?:large|long)|exceeds? the (?:maximum|max) (?:allowed |file |content |audio )?(?:size|duration|length)|duration_exceeded)\b/i,
    kind: 'too-large',
  },
  {
    says: /\b(?:is (?:still )?(?:loading|starting)|being (?:fetched|loaded)|warming up|overloaded|temporarily unavailable)\b/i,
    kind: 'temporary',
  },
];

/** A refused key, in the words of a session that is open already. */
const wrongKey =
  /\b(?:invalid|incorrect|expired|wrong|missing|unknown) (?:api[ _-]?)?(?:key|token|credentials?)\b|\b(?:unauthori[sz]ed|not authori[sz]ed|authentication failed|invalid_auth|invalid_api_key)\b/i;

/** The kind of failure that a refusal states in its words; null: they state none of the known ones. */
export function statedKind(words: string): SpeechToTextFailureKind | null {
  return refusals.find(({ says }) => says.test(words))?.kind ?? null;
}

/** The reason inside the body of an error response, in the forms that are common; empty for another form. */
export function reasonIn(body: Buffer): string {
  try {
    return reasonOf(textIn(parseBoundedJson(body), 0));
  } catch {
    return '';
  }
}

/**
 * The codes, types and close codes by which vendors end a session, by what follows. credentials: a wrong key, no credit,
 * a contract that is used up. rejected: a wrong parameter. temporary: too many sessions or too old a one, which is opened
 * again.
 */
const sessionCodes: Readonly<Record<string, Readonly<Partial<Record<SpeechToTextFailureKind, string>>>>> = {
  AssemblyAI: { credentials: '1008 4001 4002 4003', rejected: '3006', temporary: '3005 3007 3008 3009 4029 4102' },
  Speechmatics: {
    credentials: 'not_authorised not_allowed insufficient_funds timelimit_exceeded',
    rejected:
      'invalid_message invalid_model invalid_language invalid_config invalid_audio_type invalid_output_format protocol_error',
    temporary:
      'quota_exceeded job_error data_error buffer_error idle_timeout session_timeout session_transfer unknown_error',
  },
  ElevenLabs: {
    credentials: 'auth_error quota_exceeded unaccepted_terms unaccepted_terms_error',
    rejected: 'input_error',
    temporary:
      'error rate_limited commit_throttled queue_overflow resource_exhausted transcriber_error session_time_limit_exceeded chunk_size_exceeded insufficient_audio_activity',
  },
};

export function kindOfCode(name: string, code: string | number | null | undefined): SpeechToTextFailureKind | null {
  const kinds = Object.entries(sessionCodes[name] ?? {}) as [SpeechToTextFailureKind, string][];
  return kinds.find(([, codes]) => codes.split(' ').includes(String(code)))?.[0] ?? null;
}

/** The failure that a live session reports in this message, by its code, else by its words. */
export function reportedFailure(name: string, message: unknown, code?: string | number | null): SpeechToTextFailure {
  const reason = reasonOf(textIn(message, 0));
  const kind = kindOfCode(name, code) ?? statedKind(reason) ?? (wrongKey.test(reason) ? 'credentials' : 'failed');
  const shown = /^\w{1,50}$/.test(String(code ?? '')) ? ` (${code})` : '';
  return new SpeechToTextFailure(kind, `${name} reported an error${shown}${reason === '' ? '.' : `: ${reason}`}`);
}

const members = ['message', 'description', 'error', 'detail', 'err_msg', 'error_message', 'msg', 'reason'];
const deepest = 3;

function textIn(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth === deepest) return '';
  if (Array.isArray(value)) return textIn(value[0], depth + 1);
  for (const member of members) {
    const found = textIn((value as Readonly<Record<string, unknown>>)[member], depth + 1);
    if (found !== '') return found;
  }
  return '';
}

import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { SpeechToTextFailure } from './failure.ts';
import type { LabelledWord } from './transcript.ts';

/** Samples per second of live audio: signed 16 bit little-endian mono. */
export const liveSampleRateHz = 16_000;

/** Times are milliseconds from the first sample that the session received. */
export interface LiveUtterance {
  /** Names the utterance within its session; the same from its first partial to its final. */
  readonly key: string;
  /** False: a later utterance with the same key replaces this one. */
  readonly isFinal: boolean;
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly confidence: number | null;
  readonly language: string | null;
  readonly words: readonly LabelledWord[];
  /** The speaker, where the source itself names participants: the platform's own id and name. */
  readonly participant?: { readonly id: string | null; readonly name: string | null };
}

export interface LiveTranslation {
  /** The key of the utterance that is translated. */
  readonly key: string;
  readonly language: string;
  readonly text: string;
  readonly isFinal: boolean;
}

export type LiveEvent =
  | { readonly kind: 'utterance'; readonly utterance: LiveUtterance }
  | { readonly kind: 'translation'; readonly translation: LiveTranslation };

/** One connection to a provider that takes audio. */
export interface LiveSession {
  /** False: not sent, because the provider does not keep up, or the session is over. */
  send(pcm: Buffer): boolean;
  /** No audio follows: resolves when the provider has sent everything, or after `timeoutMs`. Never rejects. */
  finish(timeoutMs: number): Promise<void>;
  /** Ends the session at once. Safe twice. */
  close(): Promise<void>;
  /** Resolves once, never rejects: why the session was lost, or null when it ended by `finish` or `close`. */
  readonly ended: Promise<SpeechToTextFailure | null>;
}

export interface LiveAccess {
  readonly connections: Pick<OutboundHttp, 'request' | 'connectSocket'>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly region: string | null;
  /** Checked by `findParameterProblem` before. */
  readonly customParams: Readonly<Record<string, unknown>>;
  /** Must be quick and must not throw. */
  readonly onEvent: (event: LiveEvent) => void;
  readonly signal?: AbortSignal;
}

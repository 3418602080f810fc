import type { IncomingMessage } from 'node:http';
import type { TruthWord } from '../speech-truth.ts';

/** The effect of one message of a session's client. */
export type LiveAction =
  | { readonly kind: 'audio'; readonly pcm: Buffer }
  | { readonly kind: 'commit' }
  | { readonly kind: 'finish' }
  | { readonly kind: 'refuse'; readonly frames: readonly string[]; readonly code: number }
  | { readonly kind: 'send'; readonly frames: readonly string[] };

export interface SpokenWords {
  /** Number of the utterance in the session, from 1. */
  readonly utterance: number;
  readonly words: readonly (TruthWord & { readonly speakerNumber: number })[];
}

/** The protocol of one vendor, from the vendor's side; one object per session. */
export interface LiveVendor {
  /** Whether it understands a language; omitted: every one. */
  understands?(language: string): boolean;
  /** Frames that begin the session. */
  begin(): readonly string[];
  read(message: Buffer, isBinary: boolean): LiveAction | null;
  partial(spoken: SpokenWords): readonly string[];
  final(spoken: SpokenWords): readonly string[];
  /** After `finish`, when everything was sent. */
  end(receivedMs: number): readonly string[];
  /** Whether the session ends the connection itself after `end`. */
  readonly closesAfterEnd: boolean;
  /** The connection is closed after this time without a message; null: never. */
  readonly idleMs: number | null;
}

export interface LiveVendorFactory {
  /** The key in the handshake; null: it is sent later. */
  keyOf(request: IncomingMessage): string | null;
  create(request: IncomingMessage, now: () => number): LiveVendor;
}

export const sure = 0.97;
export const inSeconds = (ms: number): number => ms / 1_000;
export const textOf = (words: readonly { readonly text: string }[]): string => words.map(({ text }) => text).join(' ');
/** The text of a simulated translation. */
export const translated = (language: string, words: readonly { readonly text: string }[]): string =>
  `[${language}] ${textOf(words)}`;

export function textFrame(message: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(message.toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export function queryOf(request: IncomingMessage): URLSearchParams {
  return new URL(request.url ?? '/', 'http://127.0.0.1').searchParams;
}

import type { OutboundMessage } from '@rapporteur/outbound-http';
import type { SpeechToTextFailure } from '../failure.ts';
import type { LiveEvent } from '../live-provider.ts';

export interface LiveAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The content of one message of a provider. */
export type LiveReading =
  | LiveEvent
  | { readonly kind: 'ready' }
  | { readonly kind: 'finished' }
  | { readonly kind: 'failure'; readonly failure: SpeechToTextFailure };

/**
 * One session with one vendor: the messages to send and the parser of received ones. It has the session's state and
 * does no I/O of its own but `locate`.
 */
export interface LiveProtocol {
  readonly name: string;
  /** Rejects with SpeechToTextFailure. */
  locate(): Promise<LiveAddress>;
  /** The first frame, or null. */
  readonly opening: string | null;
  /** True: audio may follow the opening at once. False: `ready` is awaited. */
  readonly isReadyAtOnce: boolean;
  audio(pcm: Buffer): OutboundMessage;
  /** Sent while no audio is; null: the vendor needs none. */
  readonly keepAlive: OutboundMessage | null;
  /** Signals the end of the audio. */
  finish(): OutboundMessage;
  /** Throws SpeechToTextFailure for a message of an unknown form. */
  read(message: unknown): readonly LiveReading[];
}

/** The query of a session: a list is a repeated parameter, and what is set here replaces what is given. */
export function liveQuery(given: Readonly<Record<string, unknown>>, own: Readonly<Record<string, string>>): string {
  const pairs = Object.entries({ ...given, ...own }).flatMap(([key, value]) =>
    [value].flat().map((one): [string, string] => [key, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
  return new URLSearchParams(pairs).toString();
}

import { endReasons } from './end-reasons.ts';
import type { EndCode } from './end-reasons.ts';

/**
 * The unit of all reservations and charges: one token is one second of recording. For each other meter, the
 * milliseconds per token.
 */
const msPerToken = {
  recording: 1_000,
  transcription: 4_000,
  byok_transcription: 20_000,
  streaming_input: 10_000,
  streaming_output: 10_000,
} as const;
export type Meter = keyof typeof msPerToken;

/** The count of each meter, in milliseconds; a meter that did not run is left out. */
export type MeteredMs = Partial<Record<Meter, number>>;

/** Whole tokens by meter as the bot details show them (specification 2.2); `total` is the sum of the meters. */
export type TokenCharge = Record<Meter | 'total', number>;

const metersOf = {
  full: ['recording', 'transcription', 'byok_transcription', 'streaming_input', 'streaming_output'],
  recording_only: ['recording'],
  recording_and_streaming: ['recording', 'streaming_input', 'streaming_output'],
  none: [],
} as const satisfies Record<string, readonly Meter[]>;

/** Tokens for this time of one meter: a token that was begun counts whole. */
export function tokensOf(meter: Meter, ms: number): number {
  return Math.max(0, Math.ceil(ms / msPerToken[meter]));
}

/** The charge for a bot with this end code. For a bot that only waited, `recording` is the waiting time. */
export function chargeFor(code: EndCode, metered: MeteredMs): TokenCharge {
  const charge: TokenCharge = {
    recording: 0,
    transcription: 0,
    byok_transcription: 0,
    streaming_input: 0,
    streaming_output: 0,
    total: 0,
  };
  for (const meter of metersOf[endReasons[code].charging]) {
    charge[meter] = tokensOf(meter, metered[meter] ?? 0);
    charge.total += charge[meter];
  }
  return charge;
}

/** Duration reserved while a bot is active; released or charged at its end. */
const reservedMs = 1_800_000;

/** Tokens reserved for a bot that will run these meters. */
export function reservedTokensFor(meters: readonly Meter[]): number {
  return meters.reduce((sum, meter) => sum + tokensOf(meter, reservedMs), 0);
}

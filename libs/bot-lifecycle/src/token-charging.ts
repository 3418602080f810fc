import { endReasons } from './end-reasons.ts';
import type { EndCode } from './end-reasons.ts';

/** Tokens for one hour of each meter. */
export const tokensPerHour = {
  recording: 1,
  transcription: 0.25,
  byok_transcription: 0.05,
  streaming_input: 0.1,
  streaming_output: 0.1,
} as const;
export type Meter = keyof typeof tokensPerHour;

/** What each meter counted, in milliseconds; a meter that did not run is left out. */
export type MeteredMs = Partial<Record<Meter, number>>;

/** Tokens by meter as the bot details show them (specification 2.2), rounded to a ten-thousandth. */
export type TokenCharge = Record<Meter | 'total', number>;

const metersOf = {
  full: ['recording', 'transcription', 'byok_transcription', 'streaming_input', 'streaming_output'],
  recording_only: ['recording'],
  recording_and_streaming: ['recording', 'streaming_input', 'streaming_output'],
  none: [],
} as const satisfies Record<string, readonly Meter[]>;

const msPerHour = 3_600_000;

/** What a bot that ended with this code costs. For a bot that only waited, `recording` is the time it waited. */
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
    charge[meter] = roundTokens((Math.max(0, metered[meter] ?? 0) / msPerHour) * tokensPerHour[meter]);
  }
  const { total: _total, ...meters } = charge;
  charge.total = roundTokens(Object.values(meters).reduce((sum, tokens) => sum + tokens, 0));
  return charge;
}

/** So much of a bot's life is reserved while it lives, and released or turned into a charge at its end. */
const reservedHours = 0.5;

/** Tokens reserved for a bot that will run these meters. */
export function reservedTokensFor(meters: readonly Meter[]): number {
  return roundTokens(meters.reduce((sum, meter) => sum + tokensPerHour[meter] * reservedHours, 0));
}

export function roundTokens(tokens: number): number {
  return Math.round(tokens * 10_000) / 10_000;
}

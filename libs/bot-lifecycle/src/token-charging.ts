import { endReasons } from './end-reasons.ts';
import type { EndCode } from './end-reasons.ts';

/** Tokens reserved while a bot lives, released or turned into a charge at its end. */
export const reservedTokensPerBot = 0.5;

/** Tokens for one hour of each meter. Streaming has no published price and is not metered yet. */
export const tokensPerHour = {
  recording: 1,
  transcription: 0.25,
  byok_transcription: 0.05,
  streaming_input: 0,
  streaming_output: 0,
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

export function roundTokens(tokens: number): number {
  return Math.round(tokens * 10_000) / 10_000;
}

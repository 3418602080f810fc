import { batchRequest } from '@rapporteur/contracts';
import { asFailure } from '@rapporteur/failures';
import type { Failure, FailureCode } from '@rapporteur/failures';
import { readInput } from '@rapporteur/service-runtime';

type Extra = Record<string, unknown> | null;

export interface BatchOutcome {
  readonly data: { index: number; bot_id: string; extra: Extra }[];
  readonly errors: { index: number; code: string; message: string; details: string | null; extra: Extra }[];
}

/**
 * Creates items sequentially; a refused item is reported and does not affect the others. After UNAVAILABLE the
 * remaining items are not attempted; if nothing was created the request fails with it and can be sent again unchanged.
 * `noteFault` receives failures of this service, which the response only summarizes.
 */
export async function createInBatch(
  body: unknown,
  create: (item: unknown, index: number) => Promise<string>,
  noteFault: (failure: Failure) => void,
): Promise<BatchOutcome> {
  const { items } = readInput(batchRequest, body);
  const outcome: BatchOutcome = { data: [], errors: [] };
  let away: Failure | null = null;
  for (const item of items) {
    const { index } = item;
    if ('error' in item) {
      outcome.errors.push({ index, ...item.error, extra: null });
      continue;
    }
    const extra = (item.body['extra'] ?? null) as Extra;
    const made: string | Failure = away ?? (await create(item.body, index).catch((error: unknown) => asFailure(error)));
    if (typeof made === 'string') {
      outcome.data.push({ index, bot_id: made, extra });
      continue;
    }
    if (made.fault === 'service' && made !== away) noteFault(made);
    if (made.code === 'UNAVAILABLE') away = made;
    outcome.errors.push({ index, ...describeRefusal(made), extra });
  }
  if (away !== null && outcome.data.length === 0) throw away;
  return outcome;
}

const itemCodes: Partial<Record<FailureCode, string>> = {
  VALIDATION: 'VALIDATION_ERROR',
  ADDRESS_REFUSED: 'VALIDATION_ERROR',
  INVALID_MEETING_URL: 'INVALID_MEETING_PLATFORM',
  NOT_CONFIGURED_YET: 'NOT_CONFIGURED',
  CREDENTIAL_UNUSABLE: 'CREDENTIAL_UNUSABLE',
  MEET_LOGIN_UNAVAILABLE: 'MEET_LOGIN_UNAVAILABLE',
  TEAMS_LOGIN_UNAVAILABLE: 'TEAMS_LOGIN_UNAVAILABLE',
  DAILY_BOT_CAP_REACHED: 'DAILY_BOT_CAP_REACHED',
  INSUFFICIENT_TOKENS: 'INSUFFICIENT_TOKENS',
  BOT_ALREADY_EXISTS: 'BOT_ALREADY_EXISTS',
  BYOK_TRANSCRIPTION_NOT_ENABLED_ON_PLAN: 'BYOK_TRANSCRIPTION_NOT_ENABLED_ON_PLAN',
};

/** A refusal as an item of a list of errors. */
export function describeRefusal({ code, message, details }: Failure) {
  return { code: itemCodes[code] ?? 'BOT_CREATE_FAILED', message, details };
}

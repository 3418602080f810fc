import { teamChanged, tokensGranted } from '@rapporteur/contracts';
import { stopTogether } from '@rapporteur/event-bus';
import type { Bus, Inbox } from '@rapporteur/event-bus';
import { creditTokens } from './token-accounts.store.ts';
import { saveTeam } from './team-limits.store.ts';

/**
 * Maintains this service's copy of teams and their limits, and credits granted tokens, from the events of api-gateway.
 */
export async function consumeIdentity(dependencies: {
  readonly bus: Pick<Bus, 'consume'>;
  readonly inbox: Inbox;
}): Promise<{ stop(): Promise<void> }> {
  const { bus, inbox } = dependencies;
  const teams = await bus.consume({
    consumer: 'bot-scheduler',
    subject: teamChanged.type,
    handle: inbox.handle(teamChanged, (transaction, { data }) => saveTeam(transaction, data)),
  });
  const tokens = await bus.consume({
    consumer: 'bot-scheduler',
    subject: tokensGranted.type,
    handle: inbox.handle(tokensGranted, (transaction, { data, occurredAt }) =>
      creditTokens(transaction, { ...data, at: new Date(occurredAt) }),
    ),
  });
  return stopTogether([teams, tokens]);
}

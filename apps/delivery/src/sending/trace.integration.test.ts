import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { botChatMessage } from '@rapporteur/contracts';
import { beginTrace, continueTrace } from '@rapporteur/event-bus';
import { startTracing } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { chatMessageOf } from '../testing/bot-events.ts';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { startTeamStage } from '../testing/team-under-test.ts';
import type { TeamStage } from '../testing/team-under-test.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
}

/** A fake OpenTelemetry collector: OTLP over HTTP as JSON. */
let collector: Receiver;
let stopTracing: () => Promise<void>;
let stage: TeamStage;
beforeAll(async () => {
  collector = await startReceiver();
  // Only the first provider of a process is used.
  stopTracing = startTracing('delivery', `${collector.url}/v1/traces`);
  stage = await startTeamStage();
});
afterAll(async () => {
  await stage.stop();
  await stopTracing();
  await collector.close();
});

const spans = (): Span[] =>
  collector.calls.flatMap(({ body }) => {
    const { resourceSpans } = JSON.parse(body.toString()) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  });

test('the attempt of a webhook belongs to the trace of its bot, and is sent to the collector', async () => {
  const team = await stage.next();
  await team.api.endpoint(team.receiver.url, { events: ['bot.chat_message'] });
  const trace = beginTrace('bot');
  const traceId = trace?.split('-')[1];
  await continueTrace(trace, 'chat message', () =>
    team.surroundings.notify(botChatMessage, chatMessageOf(team.teamId)),
  );
  await team.calls(1);
  const names = await waitFor(
    () => {
      const own = spans().filter((span) => span.traceId === traceId);
      return own.some(({ name }) => name.startsWith('deliver ')) && own.map(({ name }) => name);
    },
    { what: 'the span of the attempt' },
  );
  expect(names).toEqual(
    expect.arrayContaining(['bot', 'chat message', 'consume bots.v1.chat-message', 'deliver bot.chat_message']),
  );
});

import { doneWithin } from '@rapporteur/async';
import type { Router } from 'express';
import { liveView, liveViewSubject, runnerSubjects } from '@rapporteur/contracts';
import type { LiveView } from '@rapporteur/contracts';
import type { Bus } from '@rapporteur/event-bus';
import { fail } from '@rapporteur/failures';
import { servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { findAttendingRun } from '../lifecycle/commands.store.ts';
import { findBotOfTeam, refuseInStatus } from '../lifecycle/bots.store.ts';
import type { Context } from '../schema/context.ts';

export interface LiveViewDependencies extends Pick<Context, 'database' | 'clock'> {
  readonly bus: Pick<Bus, 'notify' | 'onNotification'>;
}

const statuses: ReadonlySet<string> = new Set([
  'in_call_not_recording',
  'in_call_recording',
  'recording_paused',
  'recording_resumed',
]);
/** A screenshot takes at most 4 s. */
const deadlineMs = 6_000;

/**
 * The API of the live view: asks the runner, whose view comes with its next lease request to any instance. Nothing is
 * stored. BOT_NOT_FOUND, BOT_STATUS outside the meeting, UNAVAILABLE when the runner does not respond.
 */
export function liveViewRoutes(auth: InternalAuth, dependencies: LiveViewDependencies): Router {
  const { database } = dependencies;
  return servePublic(auth, {
    getBotLive: async ({ teamId, params }) => {
      const bot = await findBotOfTeam(database, params.bot_id, teamId);
      if (bot === null) throw fail('BOT_NOT_FOUND');
      if (!statuses.has(bot.status) || (await findAttendingRun(database, bot.id)) === null)
        throw refuseInStatus(bot.id, bot.status, 'show its meeting');
      const view = await requestView(dependencies, bot.id);
      if (view === null)
        throw fail('UNAVAILABLE', { message: `Bot ${bot.id} did not respond within ${deadlineMs / 1_000} seconds.` });
      return { data: describe(bot.id, view) };
    },
  });
}

async function requestView({ bus, clock }: LiveViewDependencies, botId: string): Promise<LiveView | null> {
  const { promise: received, resolve } = Promise.withResolvers<LiveView>();
  const subscription = bus.onNotification(liveViewSubject(botId), (body) => {
    const read = liveView.safeParse(body);
    if (read.success) resolve(read.data);
  });
  try {
    bus.notify(runnerSubjects.notification(botId), { live: true });
    return (await doneWithin(received, deadlineMs, clock)) ? await received : null;
  } finally {
    await subscription.stop();
  }
}

function describe(bot_id: string, { at, speaking, transcript, chat, screenshot }: LiveView) {
  const shown = screenshot === null ? null : { taken_at: screenshot.takenAt, image: screenshot.image };
  return { bot_id, at, speaking, transcript, chat, screenshot: shown };
}

import type { RuleRow, WantedBotRow } from '../schema/entities.ts';
import { findWanted, mayStillBegin } from './wanted-bot.ts';
import type { WantingEvent } from './wanted-bot.ts';

export interface PlannedBot {
  readonly eventId: string;
  readonly meetingKey: string;
  readonly configId: string;
  readonly joinAt: Date;
  readonly meetingUrl: string;
}

export interface BotPlan {
  readonly created: readonly PlannedBot[];
  readonly changed: readonly (PlannedBot & { readonly botId: string })[];
  readonly cancelled: readonly string[];
  /** Bots whose meetings have begun: they are not changed. */
  readonly over: readonly string[];
}

type StoredBot = Pick<WantedBotRow, 'bot_id' | 'event_id' | 'meeting_key' | 'config_id' | 'join_at' | 'meeting_url'>;

export interface PlanInput {
  /** Every event of the affected meetings. */
  readonly events: readonly WantingEvent[];
  readonly bots: readonly StoredBot[];
  readonly rules: readonly RuleRow[];
  readonly nowMs: number;
}

interface Candidate {
  readonly event: WantingEvent;
  readonly wanted: PlannedBot;
}

/** Compares wanted with stored bots: one bot per meeting that an event wants one for. Pure. */
export function planBots({ events, bots, rules, nowMs }: PlanInput): BotPlan {
  const candidates = events.flatMap((event): Candidate[] => {
    const wanted = findWanted(event, rules);
    if (wanted === null) return [];
    const { event_id: eventId, meeting_key: meetingKey, start_at: joinAt } = event;
    return [{ event, wanted: { eventId, meetingKey, joinAt, ...wanted } }];
  });
  const created: PlannedBot[] = [];
  const changed: (PlannedBot & { botId: string })[] = [];
  const free = new Map(bots.map((bot) => [bot.bot_id, bot]));
  const botsOfEvent = Map.groupBy(bots, ({ event_id }) => event_id);
  const botsOfMeeting = Map.groupBy(bots, ({ meeting_key }) => meeting_key);
  const meetings = Map.groupBy(candidates, ({ wanted }) => wanted.meetingKey);
  // Bots that stay with their event come first; the remaining ones may be reassigned.
  const open: Candidate[][] = [];
  for (const group of meetings.values()) {
    group.sort((a, b) => (a.event.event_id < b.event.event_id ? -1 : 1));
    if (!keepBot(group, { free, botsOfEvent, changed })) open.push(group);
  }
  for (const group of open) {
    const [first] = group;
    if (first === undefined) continue;
    const heir = botsOfMeeting.get(first.wanted.meetingKey)?.find(({ bot_id }) => free.has(bot_id));
    if (heir !== undefined) {
      free.delete(heir.bot_id);
      changed.push({ ...first.wanted, botId: heir.bot_id });
    } else if (mayStillBegin(first.event, nowMs)) created.push(first.wanted);
  }
  const rest = [...free.values()];
  const hasBegun = (bot: StoredBot): boolean => bot.join_at.getTime() <= nowMs;
  return {
    created,
    changed,
    cancelled: rest.filter((bot) => !hasBegun(bot)).map(({ bot_id }) => bot_id),
    over: rest.filter(hasBegun).map(({ bot_id }) => bot_id),
  };
}

interface Keeping {
  /** Bots that are not assigned to a meeting yet. */
  readonly free: Map<string, StoredBot>;
  readonly botsOfEvent: ReadonlyMap<string, readonly StoredBot[]>;
  readonly changed: (PlannedBot & { botId: string })[];
}

/** True when an event of the meeting has a bot, which is kept and updated. */
function keepBot(group: readonly Candidate[], { free, botsOfEvent, changed }: Keeping): boolean {
  const own = group.flatMap((candidate) =>
    (botsOfEvent.get(candidate.event.event_id) ?? [])
      .filter(({ bot_id }) => free.has(bot_id))
      .map((bot) => ({ candidate, bot })),
  );
  const kept = own.find(({ candidate, bot }) => bot.meeting_key === candidate.wanted.meetingKey) ?? own[0];
  if (kept === undefined) return false;
  free.delete(kept.bot.bot_id);
  if (differs(kept.bot, kept.candidate.wanted)) changed.push({ ...kept.candidate.wanted, botId: kept.bot.bot_id });
  return true;
}

function differs(bot: StoredBot, wanted: PlannedBot): boolean {
  return (
    bot.meeting_key !== wanted.meetingKey ||
    bot.config_id !== wanted.configId ||
    bot.join_at.getTime() !== wanted.joinAt.getTime() ||
    bot.meeting_url !== wanted.meetingUrl
  );
}

import type { RuleRow, WantedBotRow } from '../schema/entities.ts';
import { findWanted } from './wanted-bot.ts';
import type { Wanted, WantingEvent } from './wanted-bot.ts';

export interface PlannedBot {
  readonly eventId: string;
  readonly scopeId: string;
  readonly meetingKey: string;
  readonly configId: string;
  readonly joinAt: Date;
  readonly sharedUntil: Date;
  readonly meetingUrl: string;
}

export interface BotPlan {
  readonly created: readonly PlannedBot[];
  readonly changed: readonly (PlannedBot & { readonly botId: string })[];
  readonly cancelled: readonly string[];
  /** Bots whose meetings have begun: they are not changed. */
  readonly over: readonly string[];
}

type StoredBot = Pick<
  WantedBotRow,
  | 'bot_id'
  | 'event_id'
  | 'scope_id'
  | 'meeting_key'
  | 'config_id'
  | 'join_at'
  | 'shared_until'
  | 'meeting_url'
  | 'state'
>;

export interface PlanInput {
  readonly teamId: string;
  /** Every event of the affected meetings. */
  readonly events: readonly WantingEvent[];
  /** Bots of the affected meetings and events that are wanted, or over. */
  readonly bots: readonly StoredBot[];
  readonly rules: readonly RuleRow[];
  readonly nowMs: number;
}

interface Candidate {
  readonly event: WantingEvent;
  readonly wanted: Wanted;
}

/** Compares wanted with stored bots: one bot per meeting that an event wants one for. Pure. */
export function planBots({ teamId, events, bots, rules, nowMs }: PlanInput): BotPlan {
  const candidates = events.flatMap((event): Candidate[] => {
    const wanted = findWanted(event, rules);
    return wanted === null ? [] : [{ event, wanted }];
  });
  const created: PlannedBot[] = [];
  const changed: (PlannedBot & { botId: string })[] = [];
  const wantedBots = bots.filter(({ state }) => state === 'wanted');
  const free = new Map(wantedBots.map((bot) => [bot.bot_id, bot]));
  const botsOfEvent = Map.groupBy(wantedBots, ({ event_id }) => event_id);
  const botsOfRoom = Map.groupBy(bots, ({ meeting_key }) => meeting_key);
  const assign = (bot: StoredBot, meeting: Meeting): void => {
    free.delete(bot.bot_id);
    const planned = plannedBot(meeting, bot);
    if (differs(bot, planned)) changed.push({ ...planned, botId: bot.bot_id });
  };
  // Bots that stay with their event come first; the remaining ones may be reassigned.
  const open: Meeting[] = [];
  for (const meeting of meetingsOf(candidates, teamId)) {
    const own = meeting.members
      .flatMap(({ event }) => botsOfEvent.get(event.event_id) ?? [])
      .filter(({ bot_id }) => free.has(bot_id));
    const kept = own.find((bot) => isOf(bot, meeting)) ?? own[0];
    if (kept === undefined) open.push(meeting);
    else assign(kept, meeting);
  }
  for (const meeting of open) {
    const inRoom = botsOfRoom.get(meeting.meetingKey) ?? [];
    const heir = inRoom.find((bot) => free.has(bot.bot_id) && isOf(bot, meeting));
    if (heir !== undefined) assign(heir, meeting);
    else if (mayBegin(meeting, inRoom, nowMs)) created.push(plannedBot(meeting, null));
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

/** Events of one room that begin before `sharedUntil`, each of which wants a bot. */
interface Meeting {
  readonly scopeId: string;
  readonly meetingKey: string;
  readonly joinAt: Date;
  readonly sharedUntil: Date;
  readonly members: Candidate[];
}

/** An event of the room of another one that begins within this time of it, and before its end, is a copy of it. */
const copyMs = 15 * 60_000;

/** Two meetings of a room that begin at different times are two: the bot of the second takes over from the first. */
function meetingsOf(candidates: readonly Candidate[], teamId: string): Meeting[] {
  const meetings: Meeting[] = [];
  const newest = new Map<string, Meeting>();
  const sorted = candidates.toSorted(
    (a, b) => a.event.start_at.getTime() - b.event.start_at.getTime() || (a.event.event_id < b.event.event_id ? -1 : 1),
  );
  for (const candidate of sorted) {
    const { meeting_key: meetingKey, calendar_id, one_bot_per, start_at: joinAt, end_at } = candidate.event;
    const scopeId = one_bot_per === 'calendar' ? calendar_id : teamId;
    const room = `${scopeId} ${meetingKey}`;
    const before = newest.get(room);
    if (before !== undefined && joinAt < before.sharedUntil) {
      before.members.push(candidate);
      continue;
    }
    const sharedMs = Math.min(copyMs, Math.max(1, end_at.getTime() - joinAt.getTime()));
    const sharedUntil = new Date(joinAt.getTime() + sharedMs);
    const meeting = { scopeId, meetingKey, joinAt, sharedUntil, members: [candidate] };
    newest.set(room, meeting);
    meetings.push(meeting);
  }
  return meetings;
}

const isOf = (bot: StoredBot, { scopeId, meetingKey, joinAt }: Meeting): boolean =>
  bot.scope_id === scopeId && bot.meeting_key === meetingKey && bot.join_at.getTime() === joinAt.getTime();

const precedence = { event: 0, series: 1, rule: 2 };

/** The bot of a meeting, for the event that has precedence; of equal ones the event of its present bot keeps it. */
function plannedBot({ members, scopeId, meetingKey, joinAt, sharedUntil }: Meeting, bot: StoredBot | null): PlannedBot {
  const rankOf = ({ event, wanted }: Candidate): number =>
    2 * precedence[wanted.by] + (event.event_id === bot?.event_id ? 0 : 1);
  const { event, wanted } = members.reduce((first, one) => (rankOf(one) < rankOf(first) ? one : first));
  const { configId, meetingUrl } = wanted;
  return { eventId: event.event_id, scopeId, meetingKey, configId, joinAt, sharedUntil, meetingUrl };
}

/**
 * A bot joins a meeting until its end. One whose bot has been there gets another bot by the request of the customer
 * only.
 */
function mayBegin({ members, joinAt, sharedUntil }: Meeting, bots: readonly StoredBot[], nowMs: number): boolean {
  if (members.every(({ event }) => event.end_at.getTime() <= nowMs)) return false;
  const hadBot = bots.some(({ state, join_at }) => state === 'over' && join_at >= joinAt && join_at < sharedUntil);
  return !hadBot || members.some(({ wanted }) => wanted.by === 'event');
}

function differs(bot: StoredBot, planned: PlannedBot): boolean {
  return (
    bot.event_id !== planned.eventId ||
    bot.scope_id !== planned.scopeId ||
    bot.meeting_key !== planned.meetingKey ||
    bot.config_id !== planned.configId ||
    bot.join_at.getTime() !== planned.joinAt.getTime() ||
    bot.shared_until.getTime() !== planned.sharedUntil.getTime() ||
    bot.meeting_url !== planned.meetingUrl
  );
}

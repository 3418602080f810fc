import type { AttendedMeeting, MediaScenario } from './attended-meeting.ts';
import { eventually } from './eventually.ts';

function demand(holds: boolean, what: string, found: unknown): void {
  if (!holds) throw new Error(`${what} Found: ${JSON.stringify(found)}.`);
}

const writtenBy = async ({ room }: AttendedMeeting, who: string): Promise<(string | undefined)[]> =>
  (await room.log()).filter((entry) => entry.kind === 'chat' && entry.who === who).map(({ text }) => text);

async function writesAndReads(meeting: AttendedMeeting): Promise<void> {
  const { room, session, signals, botName } = meeting;
  const late = await session.sendChat('Too late', AbortSignal.abort());
  demand(!late.sent && late.reason === 'send_failed', 'Something was written after its time.', late);
  const text = `I am a bot and record this meeting. ${'All of it. '.repeat(110)}End.`;
  const sent = await session.sendChat(text);
  demand(sent.sent, 'The text was not sent.', sent);
  const written = await writtenBy(meeting, botName);
  demand(written.length > 1 && written.join(' ') === text, 'Not the text, in parts, is in the room.', written);
  const from = room.participantNames[1] ?? '';
  await room.say(from, 'Welcome, bot.');
  const sender = session.participants().find((participant) => participant.name === from);
  await eventually('the message to be read', () =>
    signals.some(
      (signal) =>
        signal.kind === 'chat' &&
        signal.message.text === 'Welcome, bot.' &&
        signal.message.senderId === sender?.id &&
        !signal.message.own,
    ),
  );
  const own = signals.filter((signal) => signal.kind === 'chat' && signal.message.own);
  demand(own.length === written.length, 'The bot does not know its own messages.', own);
}

async function isShown({ session }: AttendedMeeting): Promise<void> {
  const video = await session.screenshot(50);
  demand(video?.subarray(0, 3).toString('hex') === 'ffd8ff', 'There is no JPEG.', video?.length);
  demand((video?.length ?? 0) < 150_000, 'The video is large.', video?.length);
  const { screenshotPng, state, rule, host, steps } = await session.evidence();
  demand(screenshotPng?.subarray(1, 4).toString() === 'PNG', 'The evidence has no picture.', screenshotPng?.length);
  demand(state === 'in-call' && rule !== null && host?.includes('.') === true, 'The evidence is not whole.', {
    state,
    rule,
    host,
  });
  const named = steps.map(({ step }) => step);
  const missing = ['page-opened', 'join-clicked', 'in-call'].filter((step) => !named.includes(step));
  demand(missing.length === 0, 'Steps are missing.', named);
}

async function leavesOnce({ room, session, botName }: AttendedMeeting): Promise<void> {
  await session.leave();
  await session.leave();
  const leavings = async () => (await room.log()).filter(({ kind, who }) => kind === 'left' && who === botName);
  await eventually('the leaving in the log', async () => (await leavings()).length > 0);
  const left = await leavings();
  demand(left.length === 1 && left[0]?.text === 'leaveButton', 'It did not leave once, by the button.', left);
}

function unwritable(chat: string, reason: string): MediaScenario {
  return {
    name: `says why it cannot write in a chat that is ${chat}`,
    room: { variant: { chat } },
    check: async (meeting) => {
      const { session, botName } = meeting;
      const access = await session.checkChat();
      demand(!access.open && access.reason === reason, 'The chat counts as open, or the reason is wrong.', access);
      const sent = await session.sendChat('Hello');
      demand(!sent.sent && sent.reason === reason, 'The reason is wrong.', sent);
      const written = await writtenBy(meeting, botName);
      demand(written.length === 0, 'Something was written.', written);
    },
  };
}

/** Requirements for every guest in a call. */
export const guestScenarios: readonly MediaScenario[] = [
  {
    name: 'knows everybody by name, who of them is the bot, and who leaves',
    room: {},
    check: async ({ room, session, signals, botName }) => {
      await eventually('four people', () => session.participants().length === 4);
      const others = session.participants().flatMap((participant) => (participant.isSelf ? [] : [participant.name]));
      demand(others.join() === room.participantNames.join(), 'These are not the people.', others);
      const self = session.participants().find((participant) => participant.isSelf)?.name;
      demand(self === botName, 'This is not the bot.', self);
      await room.participantLeaves(1);
      await eventually('the leaving to be noticed', () =>
        signals.some(
          (signal) =>
            signal.kind === 'participant' &&
            signal.change === 'left' &&
            signal.participant.name === room.participantNames[1],
        ),
      );
    },
  },
  {
    name: 'writes and reads the chat with senders, shows its state, and leaves as a participant does, once',
    room: {},
    check: async (meeting) => {
      await writesAndReads(meeting);
      await isShown(meeting);
      await leavesOnce(meeting);
    },
  },
  unwritable('hidden', 'organizer_disabled'),
  unwritable('closed', 'organizer_disabled'),
  unwritable('stuck', 'panel_not_attached'),
  {
    name: 'does not believe a message sent that the page never shows',
    room: { variant: { chat: 'swallowed' } },
    check: async ({ session }) => {
      const access = await session.checkChat();
      demand(access.open, 'The chat counts as closed.', access);
      const sent = await session.sendChat('Hello');
      demand(!sent.sent && sent.reason === 'send_failed', 'The message counts as sent.', sent);
    },
  },
];

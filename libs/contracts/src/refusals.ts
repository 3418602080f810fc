/** Who can change what keeps a bot out. administrator: of the organizer's organization. */
export type RefusalHelper = 'host' | 'administrator' | 'customer' | 'operator';

export interface Refusal {
  /** What happened, as a sentence for the customer. */
  readonly what: string;
  readonly help: readonly RefusalHelper[];
  /** Whether another bot may get in without any change by a person. */
  readonly again: 'no' | 'later' | 'once';
}

const of = (what: string, help: readonly RefusalHelper[], again: Refusal['again'] = 'no'): Refusal => ({
  what,
  help,
  again,
});

/** Causes for which a page keeps a bot out of its meeting, the same for every platform. */
export const refusals = {
  denied: of("Someone in the meeting denied the bot's request to join.", ['host']),
  'no-response': of("The bot's request to join was not answered before the platform withdrew it.", ['host'], 'later'),
  'credentials-changed': of(
    "The bot's request to join was denied; the page names changed credentials, although a guest has none.",
    ['host'],
  ),
  'removed-before': of('The host removed a bot of this name before, so it may not join again.', ['host']),
  uninvited: of(
    'The meeting admits invited participants only. Invite the address of a signed-in bot, or open the access.',
    ['host'],
  ),
  locked: of('The meeting is locked.', ['host'], 'later'),
  full: of('The meeting is full, or the platform limits the number of joins.', ['host', 'operator'], 'later'),
  registration: of('The meeting requires registration.', ['host', 'customer']),
  'email-required': of('The meeting requires an email address that the bot does not have.', ['customer']),
  'bots-forbidden': of('The meeting does not admit bots that join by a browser.', ['host', 'administrator'], 'once'),
  'bot-suspected': of(
    'The platform itself did not let the bot into this meeting: it took it for a bot.',
    ['operator'],
    'once',
  ),
  'browser-forbidden': of('The meeting cannot be joined from a browser.', ['administrator']),
  'policy-forbidden': of('A policy of an organization keeps the bot out of this meeting.', ['administrator']),
  'sign-in': of('The meeting admits signed-in participants only.', ['customer', 'administrator']),
  captcha: of(
    'The platform asked for proof of being human, which the bot does not give.',
    ['operator', 'administrator'],
    'later',
  ),
  passcode: of(
    'The passcode in the meeting link is missing or wrong. Copy the whole link from the invitation, with its passcode.',
    ['customer'],
  ),
  'not-found': of('The platform knows no meeting under this link. Check the link.', ['customer']),
  expired: of('The meeting link has expired. Send a new one.', ['customer']),
  technical: of('The platform reported a technical problem with this join.', ['operator'], 'once'),
  refused: of('The meeting did not admit the bot.', ['host', 'customer']),
} as const satisfies Readonly<Record<string, Refusal>>;

export type RefusalCause = keyof typeof refusals;
export const refusalCauses = Object.keys(refusals) as [RefusalCause, ...RefusalCause[]];

/** The rule of a page on which a bot waits after its request for admission, although nothing on it is known. */
export const waitingUnrecognised = 'waiting-not-recognised';
/** The rule of a page that refuses the bot in words that name no cause. */
export const refusalUnrecognised = 'refused-kind';

// Texts of pages that are in no list: every kind of text that a platform may show before the call, in generated words.

/** waits: the bot has to stay. refused: the page names a refusal. none: neither, as of a form, a hint or a notice. */
export type SampledKind = 'waits' | 'refused' | 'technical' | 'none';

export interface SampledText {
  readonly kind: SampledKind;
  /** The topic, as its sentences are grouped below. */
  readonly topic: string;
  readonly title: string;
  /** Lines below the title. */
  readonly lines: readonly string[];
}

const slots: Readonly<Record<string, readonly string[]>> = {
  meeting: ['meeting', 'call', 'video call', 'webinar', 'event', 'session', 'conference', 'town hall'],
  the: ['the', 'this', 'your'],
  host: ['the host', 'the organizer', 'the organiser', 'your host', 'a presenter', 'the meeting host', 'a co-host'],
  someone: ['someone', 'a member of the {meeting}', 'a participant', '{host}', 'Maria', 'Dr. Kim', 'the team at Acme'],
  soon: ['soon', 'shortly', 'in a moment', 'in a few minutes', ''],
  please: ['', 'Please ', 'Hello! ', 'Hi there. ', 'Sorry, ', ''],
  cannot: ["can't", 'cannot', 'are unable to', 'are not able to', "aren't able to", "couldn't"],
  join: ['join', 'enter', 'attend', 'get into', 'take part in'],
  time: ['now', 'at the moment', 'right now', ''],
};

const topics: Readonly<Record<SampledKind, Readonly<Record<string, readonly string[]>>>> = {
  waits: {
    admission: [
      '{someone} will let you in {soon}',
      '{please}wait until {host} lets you into {the} {meeting}',
      '{host} has been notified that you are here',
      "We've let {someone} know you're waiting",
      'Your request to {join} has been sent to {host}',
      'Waiting for {someone} to let you in',
      "You're in the waiting room of {the} {meeting}",
      "You'll be admitted {soon}",
      '{someone} needs to approve your request',
      "Hang tight, you'll be let in {soon}",
      'You can {join} as soon as {someone} admits you',
      'Asking {host} to let you in',
      'You asked to {join}. {host} will bring you in {soon}',
      'You are in the lobby',
      'Your request is pending',
      'Almost there: {host} has to accept you first',
    ],
    'not started': [
      'Waiting for {host} to start {the} {meeting}',
      "The {meeting} hasn't started yet",
      'The {meeting} has not begun',
      'The {meeting} will begin {soon}',
      "You'll join when {host} arrives",
      '{host} is in another {meeting} right now',
      "You're early: the {meeting} starts when {host} joins",
      'The room is empty. We will let you in when the {meeting} starts',
      "{host} hasn't joined yet",
      "You can't {join} before {host} starts the {meeting}",
    ],
    unknown: [
      'Everything is ready, {someone} is on the way',
      'Ready when you are',
      'Sit back and relax',
      'Your seat is being prepared',
    ],
  },
  refused: {
    denied: [
      '{someone} denied your request to {join}',
      'Your request to {join} was turned down',
      'Your request to {join} {the} {meeting} has been rejected',
      '{host} declined your request',
      'You were not admitted to {the} {meeting}',
      '{host} did not let you in',
      "You weren't let into {the} {meeting}",
    ],
    locked: ['The {meeting} is locked', '{host} has locked the {meeting}', 'This {meeting} has been locked by {host}'],
    full: [
      'The {meeting} is full',
      'This {meeting} has reached its maximum number of participants',
      'Too many people are in this {meeting}',
      'The {meeting} is at capacity',
      'There is no room left in this {meeting}',
    ],
    registration: [
      'This {meeting} requires registration',
      'You must register before joining this {meeting}',
      'Registration is required for this {meeting}',
      'Only registered participants can {join} this {meeting}',
    ],
    uninvited: [
      'Only invited people can {join} this {meeting}',
      "You weren't invited to this {meeting}",
      'This {meeting} is by invitation only',
    ],
    'sign-in': [
      'You need to sign in to {join} this {meeting}',
      'Sign in to continue to the {meeting}',
      "Guests aren't allowed in this {meeting}",
      'Anonymous participants cannot {join}',
      'This {meeting} is for signed-in users only',
    ],
    policy: [
      "Your organization's policy doesn't allow you to {join} this {meeting}",
      'You have been blocked from joining by the administrator',
      'Joining was blocked by the policy of the company',
    ],
    'not found': [
      "We couldn't find that {meeting}",
      "This {meeting} doesn't exist",
      'The {meeting} link is invalid',
      'There is no {meeting} with this ID',
      'The {meeting} link has expired',
    ],
    over: [
      'The {meeting} has ended',
      'This {meeting} is over',
      '{host} ended the {meeting}',
      'The {meeting} has already finished',
    ],
    removed: ["You've been removed from the {meeting}", '{host} removed you from the {meeting}'],
    plain: [
      '{please}you {cannot} {join} this {meeting} {time}',
      'You are not allowed to {join} this {meeting}',
      "You don't have permission to {join} this {meeting}",
      'Access to this {meeting} is restricted',
      'This {meeting} does not admit guests',
    ],
  },
  technical: {
    problem: [
      'Something went wrong',
      'There was a problem joining the {meeting}',
      "We couldn't connect you to the {meeting}",
      'An unexpected error occurred',
      'Your connection timed out',
    ],
  },
  none: {
    hints: [
      "Your microphone isn't working",
      'Camera not found',
      "If you can't {join}, ask {host} for a new link",
      'Others may see your video differently',
      'Need help joining?',
      'You can turn on captions in the settings',
      'Check your camera before you {join}',
      'Ready to {join}?',
      'Choose your audio and video settings',
      'Learn more about how {the} {meeting} is protected',
      'Microsoft Teams meeting',
      'Enter Meeting Info',
      'By clicking Join you agree to our terms',
      'Your browser may ask for permission to use the microphone',
      'No one can see you yet',
    ],
  },
};

const weights: readonly SampledKind[] = [
  'waits',
  'waits',
  'waits',
  'refused',
  'refused',
  'refused',
  'technical',
  'none',
  'none',
];

/** Numbers from 0 to below 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A text for a page before the call, the same for the same seed. */
export function sampleText(seed: number): SampledText {
  const random = randomOf(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const fill = (form: string): string => {
    let text = form;
    while (/\{\w+\}/.test(text)) text = text.replace(/\{(\w+)\}/, (_whole, slot: string) => pick(slots[slot] ?? ['']));
    const tidy = text.replaceAll(/\s+/g, ' ').trim();
    return `${tidy.charAt(0).toUpperCase()}${tidy.slice(1)}`;
  };
  const kind = pick(weights);
  const [topic, forms] = pick(Object.entries(topics[kind]));
  const said = `${fill(pick(forms))}${pick(['', '.', '', '!'])}`;
  const headless = kind === 'refused' && random() < 0.4;
  const title = headless
    ? fill(pick(['Unable to join this {meeting}', "You can't join this {meeting}", 'Sorry']))
    : said;
  const neutral = ['Return to home screen', 'Back', 'Notes Bot', 'Meet', 'Privacy · Terms', 'Camera is on'];
  const below = random() < 0.5 ? [pick(neutral)] : [];
  return { kind, topic, title, lines: [...(headless ? [said] : []), ...below] };
}

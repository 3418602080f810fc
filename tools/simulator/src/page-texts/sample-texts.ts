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
      'Your request has reached {host}',
      '{someone} still has to confirm that you may {join}',
      "You're waiting to be let into {the} {meeting}",
      'Hold on while {host} checks your request',
      "We told {host} you'd like to {join}",
      'You are third in line',
      'Your place in the queue: 3',
      'The {meeting} is moderated, so {someone} lets people in one by one',
      '4 people are waiting with you',
      "You can't speak or be heard until {host} lets you in",
      'Nobody can see or hear you while you wait',
      'Please keep this window open. {someone} will admit you',
      'Only {host} can admit participants. You will be next',
      '{host} decides who may {join}. Please wait',
      'This {meeting} has a lobby. {someone} will let you in {soon}',
      'To protect the {meeting}, {host} approves every guest',
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
      '{host} is running late',
      'The {meeting} starts in 12 minutes',
      "It's not time yet",
      'You came before {host}',
      '{host} opens the {meeting} {soon}',
      'The {meeting} will open its doors {soon}',
      'Nobody is in the {meeting} yet',
      'The previous {meeting} is still going on',
      'Doors open at 9:45',
      'Please come back at 10:00, when the {meeting} begins',
      '{host} has not opened the {meeting} yet',
    ],
    unknown: [
      'Everything is ready, {someone} is on the way',
      'Ready when you are',
      'Sit back and relax',
      'Your seat is being prepared',
      'Einen Augenblick noch',
      'Veuillez patienter, quelqu’un vous fera entrer',
      'Espere a que alguien le admita',
      'しばらくお待ちください',
      'يرجى الانتظار حتى يسمح لك المضيف بالدخول',
      'אנא המתן עד שהמארח יאשר',
      'Ktoś wkrótce Cię wpuści',
      'Подождите, организатор скоро впустит вас',
      'Biri sizi birazdan içeri alacak',
      '主持人很快会让您进入',
      '호스트가 곧 입장을 허용합니다',
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
      '{someone} said no to your request',
      'Entry was denied by {host}',
      '{host} has chosen not to admit you',
      'Your request was not approved',
      'You were turned away by {host}',
      '{someone} has declined to let you in',
      "{host} didn't accept your request to {join}",
      'Access to the {meeting} was denied',
      'Your request to {join} was dismissed',
      'You have not been admitted',
      'Sorry, your request to {join} this {meeting} was refused',
    ],
    locked: [
      'The {meeting} is locked',
      '{host} has locked the {meeting}',
      'This {meeting} has been locked by {host}',
      'New participants cannot {join}: the {meeting} is locked',
      'The doors of this {meeting} are locked',
      'This {meeting} is locked',
      '{host} locked this {meeting} after it began',
    ],
    full: [
      'The {meeting} is full',
      'This {meeting} has reached its maximum number of participants',
      'Too many people are in this {meeting}',
      'The {meeting} is at capacity',
      'There is no room left in this {meeting}',
      'All seats in this {meeting} are taken',
      'No more participants can {join}: the limit is reached',
      'The {meeting} can hold 100 participants and is full',
      'The attendee limit of this {meeting} has been reached',
      'This {meeting} has no more free places',
    ],
    registration: [
      'This {meeting} requires registration',
      'You must register before joining this {meeting}',
      'Registration is required for this {meeting}',
      'Only registered participants can {join} this {meeting}',
      'Please register before you {join} this {meeting}',
      'You are not registered for this {meeting}',
      'Registration for this {meeting} has closed',
      'This {meeting} is open to registered attendees only',
    ],
    uninvited: [
      'Only invited people can {join} this {meeting}',
      "You weren't invited to this {meeting}",
      'This {meeting} is by invitation only',
      'Your name is not on the guest list',
      'You need an invitation to {join} this {meeting}',
      'Uninvited guests cannot {join}',
      '{host} allows invited guests only',
      'This {meeting} is limited to invited participants',
    ],
    'sign-in': [
      'You need to sign in to {join} this {meeting}',
      'Sign in to continue to the {meeting}',
      "Guests aren't allowed in this {meeting}",
      'Anonymous participants cannot {join}',
      'This {meeting} is for signed-in users only',
      'Sign in with the account that was invited',
      'Please log in to {join}',
      'An account is needed to {join} this {meeting}',
      'This {meeting} only allows people from its organization',
      'Only members of Acme can {join}',
      'External guests are turned away',
      'You {cannot} {join} without signing in',
      'Visitors without an account cannot {join}',
    ],
    policy: [
      "Your organization's policy doesn't allow you to {join} this {meeting}",
      'You have been blocked from joining by the administrator',
      'Joining was blocked by the policy of the company',
      'Your administrator does not allow external meetings',
      'This {meeting} is blocked by your organization',
      'A policy of the organizer keeps you from joining',
      "Joining from your location isn't permitted",
      'Your organization restricts which meetings you can {join}',
    ],
    'not found': [
      "We couldn't find that {meeting}",
      "This {meeting} doesn't exist",
      'The {meeting} link is invalid',
      'There is no {meeting} with this ID',
      'The {meeting} link has expired',
      'No such {meeting}',
      'The address of the {meeting} is wrong',
      'We do not know this {meeting}',
      'That {meeting} is no longer available',
      'The {meeting} ID is unknown',
      'Please check the {meeting} ID',
      'This link leads to no {meeting}',
      'This invitation is no longer valid',
    ],
    over: [
      'The {meeting} has ended',
      'This {meeting} is over',
      '{host} ended the {meeting}',
      'The {meeting} has already finished',
      'The {meeting} was closed by {host}',
      'You came too late: the {meeting} has ended',
      '{host} has ended this {meeting} for all',
      'The {meeting} finished 10 minutes ago',
      'This {meeting} already took place',
      'The {meeting} was cancelled',
    ],
    removed: [
      "You've been removed from the {meeting}",
      '{host} removed you from the {meeting}',
      'You were put out of the {meeting}',
      '{someone} removed you',
      'You have been taken out of this {meeting} by {host}',
    ],
    plain: [
      '{please}you {cannot} {join} this {meeting} {time}',
      'You are not allowed to {join} this {meeting}',
      "You don't have permission to {join} this {meeting}",
      'Access to this {meeting} is restricted',
      'This {meeting} does not admit guests',
      'Joining is not possible',
      '{please}this {meeting} is not available to you',
      'You may not {join} this {meeting}',
      'It is not possible to {join} {the} {meeting}',
      '{host} does not allow you to {join}',
      'Entry to this {meeting} is closed',
      'You are no longer able to {join} this {meeting}',
      'Participants can no longer {join}',
    ],
  },
  technical: {
    problem: [
      'Something went wrong',
      'There was a problem joining the {meeting}',
      "We couldn't connect you to the {meeting}",
      'An unexpected error occurred',
      'Your connection timed out',
      'An error occurred while joining',
      'We hit a snag: error 500',
      'The server did not respond',
      'We had trouble joining the {meeting}',
      'Joining took too long',
      'The {meeting} could not be loaded',
      'Oops, that did not work',
      'Your browser lost its connection to the {meeting}',
      'The service is temporarily unavailable',
      'Failed to {join} the {meeting}: try again',
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
      'Your camera is blocked by the browser',
      'Your microphone was not found',
      'Blur is not supported on this device',
      'Guests cannot share their screen',
      'You are not presenting',
      '{host} can see your email address',
      'Someone may record the {meeting}',
      'Chat is disabled by {host}',
      'Your video will be off when you {join}',
      'Sign in to use backgrounds',
      '{host} controls who may share',
      'Have a question? Contact {host}',
      'You can leave at any time',
      'Participants are muted by default',
      'Your name is shown to others',
      'The network is slow',
      'Reactions were turned off by {host}',
      'Speaker not found',
      'Check the sound of your speakers',
      'Prüfen Sie Ihr Mikrofon',
      'Votre caméra est désactivée',
      'No microphone detected',
      'Tip: use headphones in a {meeting}',
      'Others cannot hear you',
      'This {meeting} uses end-to-end encryption',
      'Recording is not available for guests',
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
  const neutral = [
    'Return to home screen',
    'Switch account',
    'Notes Bot',
    'Privacy · Terms',
    'Camera is on',
    'If you think this is a mistake, contact the organizer.',
    'Learn more',
    'Ada and 3 others',
    '10:00 - 11:00',
  ];
  const below = Array.from({ length: Math.floor(random() * 3) }, () => pick(neutral));
  return { kind, topic, title, lines: [...(headless ? [said] : []), ...below] };
}

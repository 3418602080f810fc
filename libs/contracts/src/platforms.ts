/** The facts of a platform outside its adapter in `libs/meeting-platforms`. */
export interface PlatformDescriptor {
  /** Name for customers. */
  readonly title: string;
  /** Member of a bot's body that is valid only for links of this platform; null: it has none. */
  readonly settings: string | null;
  /** False: `no_one_joined_timeout` and `silence_timeout` do not apply, `empty_meeting_timeout` does. */
  readonly watchesRoom: boolean;
  /** False: the page shows no meeting, and no screenshots of it are taken. */
  readonly showsMeeting: boolean;
  /** Its ids of participants are numbers that customers know: the diarization passes them on. */
  readonly numbersParticipants: boolean;
  /** End codes of this platform in place of the common ones. */
  readonly endCodes: PlatformEndCodes;
}

export interface PlatformEndCodes {
  /** The meeting asks a guest to sign in. */
  readonly loginRequired?: string;
  /** It asks a bot that joined with a login. */
  readonly loginRefused?: string;
  /** The host ended the meeting before the bot was in it. */
  readonly endedBeforeJoining?: string;
}

/** Every platform that a bot joins, in the order of the specification. */
export const platforms = {
  zoom: {
    title: 'Zoom',
    settings: 'alpha_config',
    watchesRoom: false,
    showsMeeting: false,
    numbersParticipants: true,
    endCodes: { endedBeforeJoining: 'MEETING_ENDED_PREMATURELY' },
  },
  meet: {
    title: 'Google Meet',
    settings: 'meet_config',
    watchesRoom: true,
    showsMeeting: true,
    numbersParticipants: false,
    endCodes: { loginRequired: 'MEET_LOGIN_REQUIRED', loginRefused: 'MEET_LOGIN_REQUIRED' },
  },
  teams: {
    title: 'Microsoft Teams',
    settings: 'teams_config',
    watchesRoom: true,
    showsMeeting: true,
    numbersParticipants: false,
    endCodes: { loginRefused: 'TEAMS_LOGIN_REQUIRED' },
  },
} as const satisfies Readonly<Record<string, PlatformDescriptor>>;

/** Platforms whose bots can sign in with a stored login (`apps/sso-idp`). */
export const loginPlatforms = ['meet', 'teams'] as const satisfies readonly (keyof typeof platforms)[];
export type LoginPlatform = (typeof loginPlatforms)[number];

export type MeetingPlatformName = keyof typeof platforms;
export const platformNames = Object.keys(platforms) as [MeetingPlatformName, ...MeetingPlatformName[]];

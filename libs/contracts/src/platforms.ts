/** The facts of a platform outside its adapter in `libs/meeting-platforms`. */
export interface PlatformDescriptor {
  /** Name for customers. */
  readonly title: string;
  /** Member of a bot's body that is valid only for links of this platform; null: it has none. */
  readonly settings: string | null;
  /** False: `no_one_joined_timeout` and `silence_timeout` do not apply, `empty_meeting_timeout` does. */
  readonly hasRoomTimeouts: boolean;
  /** Whether its bots can sign in with a stored login (`apps/sso-idp`). */
  readonly hasLogins: boolean;
  /** False: the page shows no meeting, and no screenshots of it are taken. */
  readonly showsMeeting: boolean;
  /** Its ids of participants are numbers that customers know: the diarization passes them on. */
  readonly numbersParticipants: boolean;
  /** End codes of this platform in place of the common ones. */
  readonly endCodes: PlatformEndCodes;
}

export interface PlatformEndCodes {
  /** The meeting requires a guest to sign in. */
  readonly loginRequired?: string;
  /** It requires a bot that joined with a login to sign in. */
  readonly loginRefused?: string;
  /** The host ended the meeting before the bot was in it. */
  readonly endedBeforeJoining?: string;
}

/** Every platform that a bot joins, in the order of the specification. */
export const platforms = {
  zoom: {
    title: 'Zoom',
    settings: 'alpha_config',
    hasRoomTimeouts: false,
    hasLogins: false,
    showsMeeting: false,
    numbersParticipants: true,
    endCodes: { endedBeforeJoining: 'MEETING_ENDED_PREMATURELY' },
  },
  meet: {
    title: 'Google Meet',
    settings: 'meet_config',
    hasRoomTimeouts: true,
    hasLogins: true,
    showsMeeting: true,
    numbersParticipants: false,
    endCodes: { loginRequired: 'MEET_LOGIN_REQUIRED', loginRefused: 'MEET_LOGIN_REQUIRED' },
  },
  teams: {
    title: 'Microsoft Teams',
    settings: 'teams_config',
    hasRoomTimeouts: true,
    hasLogins: true,
    showsMeeting: true,
    numbersParticipants: false,
    endCodes: { loginRefused: 'TEAMS_LOGIN_REQUIRED' },
  },
} as const satisfies Readonly<Record<string, PlatformDescriptor>>;

export type MeetingPlatformName = keyof typeof platforms;
export const platformNames = Object.keys(platforms) as [MeetingPlatformName, ...MeetingPlatformName[]];

export type LoginPlatform = {
  [Name in MeetingPlatformName]: (typeof platforms)[Name]['hasLogins'] extends true ? Name : never;
}[MeetingPlatformName];
export const loginPlatforms = platformNames.filter((name) => platforms[name].hasLogins) as [
  LoginPlatform,
  ...LoginPlatform[],
];

/** The facts of a platform outside its adapter in `libs/meeting-platforms`. */
export interface PlatformDescriptor {
  /** Name for customers. */
  readonly title: string;
  /** Member of a bot's body that is valid only for links of this platform. */
  readonly settings: 'alpha_config' | 'meet_config' | 'teams_config';
  /** False: in a call only `max_recording_duration` ends a bot, not an empty or silent room. */
  readonly watchesRoom: boolean;
}

/** Every platform that a bot joins, in the order of the specification. */
export const platforms = {
  zoom: { title: 'Zoom', settings: 'alpha_config', watchesRoom: false },
  meet: { title: 'Google Meet', settings: 'meet_config', watchesRoom: true },
  teams: { title: 'Microsoft Teams', settings: 'teams_config', watchesRoom: true },
} as const satisfies Readonly<Record<string, PlatformDescriptor>>;

export type MeetingPlatformName = keyof typeof platforms;
export const platformNames = Object.keys(platforms) as [MeetingPlatformName, ...MeetingPlatformName[]];

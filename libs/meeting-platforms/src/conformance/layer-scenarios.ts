import { createMeetPlatform } from '../meet/meet-platform.ts';
import type { MeetingPlatform, SpeakerSource } from '../platform.ts';
import { createTeamsPlatform } from '../teams/teams-platform.ts';
import { createZoomPlatform } from '../zoom/zoom-platform.ts';
import type { RoomOptions } from './harness.ts';

/** Scenarios without some signal layers, and what the remaining ones detect. */
export interface LayerScenario {
  readonly name: string;
  readonly room: RoomOptions;
  readonly platform: MeetingPlatform;
  readonly sources: readonly SpeakerSource[];
  /** Minimum share of the speech time with the right name. */
  readonly covered: number;
  /** Minimum share of the named time with the right name. */
  readonly trusted: number;
  /** Delay of received audio; omitted: that of the other platforms. */
  readonly audioDelayMs?: number;
  /** Number of other participants; omitted: three. */
  readonly others?: number;
  /** Every run of the suite includes it; the others are part of the whole matrix. */
  readonly sampled?: true;
}

const teams = (settings: object): RoomOptions => ({ variant: { teams: { launcher: false, ...settings } } });

const fourInterrupting: RoomOptions = { variant: { scenario: 'four-who-interrupt-each-other' } };
const withoutSources = { contributingSources: false };

/** They run concurrently: each is long and costs little. */
export const layerScenarios: readonly LayerScenario[] = [
  {
    name: 'the mix names its voices',
    room: teams({ contributingSources: true }),
    platform: createTeamsPlatform(),
    sources: ['contributing-sources'],
    covered: 0.9,
    trusted: 0.8,
  },
  {
    name: 'no roster, but the objects of the light client',
    room: teams({ roster: 'none', client: 'light' }),
    platform: createTeamsPlatform({ rosterFrames: false, rosterResponses: false }),
    sources: ['active-speaker'],
    covered: 0.9,
    trusted: 0.8,
  },
  {
    name: 'no dominant speaker, outlines on some tiles',
    room: teams({ dominantSpeaker: false }),
    platform: createTeamsPlatform(),
    sources: ['tiles', 'mixed-audio'],
    covered: 0.4,
    trusted: 0.75,
  },
  {
    name: 'tiles alone',
    sampled: true,
    room: teams({ roster: 'none', globals: false, outlines: 'all', tileNames: 'text' }),
    platform: createTeamsPlatform({ rosterFrames: false, dominantSpeaker: false, globals: false }),
    sources: ['tiles', 'mixed-audio'],
    covered: 0.8,
    trusted: 0.75,
  },
  {
    name: 'four participants who interrupt each other',
    room: fourInterrupting,
    platform: createMeetPlatform(),
    sources: ['contributing-sources'],
    covered: 0.95,
    trusted: 0.9,
    others: 4,
    // Delay in ms that the platform's script requests for audio.
    audioDelayMs: 250,
  },
  {
    name: 'four participants who interrupt each other, in the stack that decodes audio itself',
    room: fourInterrupting,
    platform: createMeetPlatform({ nativeAudio: false }),
    sources: ['dcrpc'],
    covered: 0.95,
    trusted: 0.9,
    others: 4,
  },
  {
    name: 'the frames of the service without contributing sources',
    room: {},
    platform: createMeetPlatform(withoutSources),
    sources: ['dcrpc'],
    covered: 0.95,
    trusted: 0.9,
  },
  {
    name: 'four participants who interrupt each other, on Zoom',
    room: fourInterrupting,
    platform: createZoomPlatform(),
    sources: ['levels'],
    // Levels come five times a second: 97 % alone, less beside two other listeners on a busy machine.
    covered: 0.92,
    trusted: 0.9,
    others: 4,
  },
  {
    name: 'active speakers without levels',
    room: { variant: { zoom: { levels: false } } },
    platform: createZoomPlatform(),
    sources: ['active-speaker'],
    covered: 0.9,
    trusted: 0.85,
  },
  {
    name: 'the tiles of Zoom alone, and the names on its page',
    sampled: true,
    room: {},
    platform: createZoomPlatform({ layers: { roster: false, levels: false, activeSpeakers: false } }),
    sources: ['tiles'],
    covered: 0.6,
    trusted: 0.75,
  },
  {
    name: 'the tiles of Meet alone',
    sampled: true,
    room: {},
    platform: createMeetPlatform({ ...withoutSources, speechFrames: false }),
    sources: ['tiles'],
    covered: 0.6,
    trusted: 0.75,
  },
];

import { describe, expect, test } from '@jest/globals';
import { MeetRoster } from './meet/participants.ts';
import type { MeetingParticipant } from './platform.ts';
import { TeamsRoster } from './teams/participants.ts';
import { ZoomRoster } from './zoom/participants.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
}

interface NamedRoster {
  /** Records of the platform's signalling. */
  apply(participants: readonly Listed[], atMs: number): void;
  participants(): readonly MeetingParticipant[];
  /** The participant of the platform's own speech signal. */
  speakerOf(id: string): { participantId: string | null; name: string | null };
  /** The participant of a tile that shows this name. */
  shownAs(name: string): { participantId: string | null; name: string | null };
}

const meet = (): NamedRoster => {
  const roster = new MeetRoster();
  const user = { avatarUrl: null, presence: 'in-call', isSelf: false, isHost: false, parentDeviceId: null } as const;
  return {
    apply: (participants, atMs) => {
      const users = participants.map(({ id, name }) => ({ ...user, deviceId: id, name }));
      const outputs = participants.map(
        ({ id }) => ({ kind: 'audio', streamId: `s${id}`, deviceId: id, disabled: false }) as const,
      );
      roster.applyCollections({ users, outputs, chat: [] }, atMs);
    },
    participants: () => roster.participants(),
    speakerOf: (id) => roster.ownerOf('contributing-sources', `s${id}`),
    // Its tiles have the ids of their participants.
    shownAs: (name) => roster.ownerOf('tiles', roster.participants().find((one) => one.name === name)?.id ?? ''),
  };
};

const teams = (): NamedRoster => {
  const roster = new TeamsRoster();
  return {
    apply: (participants, atMs) => {
      const records = participants.map(({ id, name }) => ({
        id,
        displayName: name,
        present: true,
        isHost: false,
        speakers: [`s${id}`],
      }));
      roster.applySnapshot(records, atMs);
    },
    participants: () => roster.participants(),
    speakerOf: (id) => roster.ownerOf('active-speaker', `s${id}`),
    shownAs: (name) => roster.ownerOf('tiles', name),
  };
};

const zoom = (): NamedRoster => {
  const roster = new ZoomRoster(() => 'Rapporteur');
  return {
    apply: (participants, atMs) => {
      const entries = participants.map(({ id, name }) => ({ id, name, isHost: false }));
      roster.applyRoster(entries, [], atMs);
    },
    participants: () => roster.participants(),
    speakerOf: (id) => roster.ownerOf('levels', id),
    shownAs: (name) => roster.ownerOf('tiles', `name:${name}`),
  };
};

const phone = '+49 151 *****42';

describe.each([
  { platform: 'meet', create: meet, tilesHaveIds: true },
  { platform: 'teams', create: teams, tilesHaveIds: false },
  { platform: 'zoom', create: zoom, tilesHaveIds: false },
])('participants of $platform', ({ create, tilesHaveIds }) => {
  const [alex, other, first, second] = ['1024', '2048', '3072', '4096'] as const;
  const listed = [
    { id: alex, name: 'Alex' },
    { id: other, name: 'Alex' },
    { id: first, name: phone },
    { id: second, name: phone },
  ];

  test('of one name, and callers whose masked numbers are equal, are distinguished by their ids', () => {
    const roster = create();
    roster.apply(listed, 0);
    expect(roster.participants().map(({ id, name }) => ({ id, name }))).toEqual(listed);
    for (const { id, name } of listed) expect(roster.speakerOf(id)).toMatchObject({ participantId: id, name });
  });

  test('keep their id when they are renamed, also to the name of another one', () => {
    const roster = create();
    roster.apply([listed[0]!, { id: other, name: 'Bea' }, listed[2]!], 0);
    roster.apply([listed[0]!, { id: other, name: 'Alex' }, { id: first, name: 'Carla' }], 10);
    expect(roster.participants().map(({ id, name }) => [id, name])).toEqual([
      [alex, 'Alex'],
      [other, 'Alex'],
      [first, 'Carla'],
    ]);
    expect(roster.speakerOf(other)).toMatchObject({ participantId: other, name: 'Alex' });
    expect(roster.speakerOf(first)).toMatchObject({ participantId: first, name: 'Carla' });
  });

  test('of one name whose tile has no id are one of them, not the first', () => {
    const roster = create();
    roster.apply(listed, 0);
    expect(roster.shownAs('Alex')).toMatchObject({ participantId: tilesHaveIds ? alex : null, name: 'Alex' });
    expect(roster.shownAs(phone)).toMatchObject({ participantId: tilesHaveIds ? first : null, name: phone });
  });
});

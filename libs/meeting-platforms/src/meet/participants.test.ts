import { describe, expect, test } from '@jest/globals';
import type { CollectionUser } from './collections.ts';
import type { MeetTile } from './page-state.ts';
import { MeetRoster } from './participants.ts';

const user = (deviceId: string, more: Partial<CollectionUser> = {}): CollectionUser => ({
  deviceId,
  name: `Name of ${deviceId}`,
  avatarUrl: null,
  presence: 'in-call',
  isSelf: false,
  isHost: false,
  parentDeviceId: null,
  ...more,
});
const tile = (participantId: string, more: Partial<MeetTile> = {}): MeetTile => ({
  participantId,
  name: `Tile of ${participantId}`,
  isSelf: false,
  hasEffectsControl: false,
  speaking: false,
  ...more,
});
const records = (...users: CollectionUser[]) => ({ users, outputs: [], chat: [] });
const changes = (list: readonly { change: string; participant: { id: string } }[]): string[] =>
  list.map(({ change, participant }) => `${change} ${participant.id}`);

describe('MeetRoster', () => {
  test('the records name people, and their names win over what tiles show', () => {
    const participants = new MeetRoster();
    expect(changes(participants.applyCollections(records(user('1'), user('me', { isSelf: true })), 0))).toEqual([
      'appeared 1',
      'appeared me',
    ]);
    expect(participants.applyTiles([tile('1'), tile('me', { isSelf: true })], 100)).toEqual([]);
    expect(participants.find('1')?.name).toBe('Name of 1');
  });

  test('without records the tiles alone say who is there, and who has left for 3 s', () => {
    const participants = new MeetRoster();
    participants.applyTiles([tile('1'), tile('2'), tile('me', { isSelf: true })], 0);
    expect(participants.participants().map((participant) => participant.name)).toEqual([
      'Tile of 1',
      'Tile of 2',
      'Tile of me',
    ]);
    expect(participants.applyTiles([tile('2'), tile('me', { isSelf: true })], 2_900)).toEqual([]);
    expect(changes(participants.applyTiles([tile('2'), tile('me', { isSelf: true })], 3_100))).toEqual(['left 1']);
  });

  test('on a page that marks every tile as its own, none is taken for the bot', () => {
    const participants = new MeetRoster();
    participants.applyTiles([tile('1', { isSelf: true }), tile('me', { isSelf: true })], 0);
    participants.applyTiles([tile('1', { isSelf: true })], 1_000);
    expect(participants.participants().map(({ isSelf }) => isSelf)).toEqual([false, false]);
  });

  test('a record that says left is believed although the tile remains a moment longer', () => {
    const participants = new MeetRoster();
    participants.applyCollections(records(user('1')), 0);
    participants.applyTiles([tile('1')], 100);
    expect(changes(participants.applyCollections(records(user('1', { presence: 'left' })), 200))).toEqual(['left 1']);
    expect(participants.applyTiles([tile('1')], 300)).toEqual([]);
    expect(changes(participants.applyCollections(records(user('1')), 400))).toEqual(['appeared 1']);
  });

  test('who is missing in the full list has left, unless the page still shows them', () => {
    const participants = new MeetRoster();
    participants.applyCollections(records(user('1'), user('2'), user('3')), 0);
    participants.applyTiles([tile('1'), tile('2'), tile('3')], 1_000);
    participants.applyTiles([tile('1'), tile('3')], 9_000);
    expect(changes(participants.applySync([user('1')], 10_000))).toEqual(['left 2']);
  });

  test('all participants have left when only the own tile remains for 10 s, though no record says so', () => {
    const participants = new MeetRoster();
    participants.applyCollections(records(user('1'), user('2'), user('me', { isSelf: true })), 0);
    participants.applyTiles([tile('1'), tile('2'), tile('me', { isSelf: true })], 0);
    expect(participants.applyTiles([tile('me', { isSelf: true })], 9_000)).toEqual([]);
    expect(changes(participants.applyTiles([tile('me', { isSelf: true })], 10_000))).toEqual(['left 1', 'left 2']);
  });

  test('a shared screen is no participant; its video belongs to the presenter', () => {
    const participants = new MeetRoster();
    participants.applyCollections(records(user('1'), user('screen', { parentDeviceId: '1' })), 0);
    expect(participants.participants().map((participant) => participant.id)).toEqual(['1']);
    expect(participants.streamOwners()).toMatchObject({
      screens: ['screen'],
      names: { 1: 'Name of 1', screen: 'Name of 1' },
    });
  });

  test('passes all participants but the bot to the page, in their order of joining, while they are present', () => {
    const participants = new MeetRoster();
    participants.applyCollections(records(user('me', { isSelf: true }), user('2'), user('1')), 0);
    participants.applyCollections(records(user('screen', { parentDeviceId: '1' })), 0);
    participants.applyTiles([tile('7')], 0);
    expect(participants.streamOwners().participants).toEqual(['2', '1', '7']);
    participants.applyCollections(records(user('2', { presence: 'left' })), 1_000);
    expect(participants.streamOwners().participants).toEqual(['1', '7']);
  });

  test('a voice leads to its person through the records; one that leads nowhere is unknown', () => {
    const participants = new MeetRoster();
    participants.applyCollections(
      { ...records(user('1')), outputs: [{ kind: 'audio', streamId: '77', deviceId: '1', disabled: false }] },
      0,
    );
    expect(participants.ownerOf('contributing-sources', '77')).toEqual({
      participantId: '1',
      name: 'Name of 1',
      isSelf: false,
    });
    expect(participants.ownerOf('contributing-sources', '78')).toEqual({
      participantId: null,
      name: null,
      isSelf: false,
    });
    expect(participants.ownerOf('tiles', '1').name).toBe('Name of 1');
  });
});

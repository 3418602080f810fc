import { describe, expect, test } from '@jest/globals';
import { TeamsRoster } from './participants.ts';
import type { TeamsParticipant } from './signalling.ts';

const record = (id: string, displayName: string | null, more: Partial<TeamsParticipant> = {}): TeamsParticipant => ({
  id,
  displayName,
  present: true,
  isHost: false,
  speakers: [],
  ...more,
});
const tiles = (...names: string[]) => names.map((name) => ({ name, isScreen: false }));
const changes = (list: readonly { change: string; participant: { id: string } }[]): string[] =>
  list.map(({ change, participant }) => `${change} ${participant.id}`);
const alice = record('8:orgid:a', 'Alice', { speakers: ['101'] });
const bruno = record('8:orgid:b', 'Bruno', { speakers: ['102'] });
const bot = record('8:teamsvisitor:x', 'Bot (Unverified)');

function inCall(): TeamsRoster {
  const roster = new TeamsRoster();
  roster.setOwnName('Bot');
  roster.applyFrame([bot], 0);
  return roster;
}

describe('TeamsRoster', () => {
  test('the bot finds itself among the guests by the name it typed, without the mark behind it', () => {
    const roster = new TeamsRoster();
    roster.setOwnName('Alice');
    roster.applyFrame([alice, record('8:teamsvisitor:x', 'Alice (Unverified)')], 0);
    expect(roster.participants().map(({ id, name, isSelf }) => [id, name, isSelf])).toEqual([
      ['8:orgid:a', 'Alice', false],
      ['8:teamsvisitor:x', 'Alice', true],
    ]);
  });

  test('the client itself says who the bot is, where no record did', () => {
    const roster = new TeamsRoster();
    const participants = [{ id: '8:orgid:me', displayName: 'Signed In' }];
    roster.applyGlobals({ selfId: '8:orgid:me', participants }, 0);
    expect(roster.participants()).toMatchObject([{ id: '8:orgid:me', isSelf: true }]);
  });

  test('a late joiner gets changes by frames and everybody by the roster that is fetched', () => {
    const roster = inCall();
    expect(changes(roster.applySnapshot([alice, bruno, bot], 10))).toEqual([
      'appeared 8:orgid:a',
      'appeared 8:orgid:b',
    ]);
    expect(changes(roster.applyFrame([record('8:orgid:b', 'Bruno', { present: false })], 20))).toEqual([
      'left 8:orgid:b',
    ]);
    expect(changes(roster.applyFrame([bruno], 30))).toEqual(['appeared 8:orgid:b']);
  });

  test('who is missing in the fetched roster has left, unless the page still shows them', () => {
    const roster = inCall();
    roster.applySnapshot([alice, bruno, bot], 0);
    roster.applyTiles(tiles('Alice', 'Bruno'), true, 1_000);
    roster.applyTiles(tiles('Alice'), true, 9_000);
    expect(changes(roster.applySnapshot([bot], 10_000))).toEqual(['left 8:orgid:b']);
  });

  test('without records the tiles say who is there after 3 s, and who has left', () => {
    const roster = inCall();
    expect(roster.applyTiles(tiles('Alice', 'Zoe (Guest)'), true, 0)).toEqual([]);
    roster.applyTiles(tiles('Alice', 'Zoe (Guest)'), true, 3_000);
    expect(roster.participants().map(({ name }) => name)).toEqual(['Bot', 'Alice', 'Zoe']);
    roster.applyTiles(tiles('Alice'), true, 4_000);
    expect(changes(roster.applyTiles(tiles('Alice'), true, 6_100))).toEqual(['left tile:Zoe']);
  });

  test('a record that comes after the tile speaks of the same person', () => {
    const roster = inCall();
    roster.applyTiles(tiles('Alice'), true, 0);
    roster.applyTiles(tiles('Alice'), true, 3_000);
    expect(roster.applyFrame([alice], 4_000)).toEqual([]);
    expect(roster.ownerOf('active-speaker', '101')).toMatchObject({ participantId: 'tile:Alice', name: 'Alice' });
    roster.applyTiles(tiles(), true, 8_000);
    expect(roster.participants().find(({ name }) => name === 'Alice')?.present).toBe(true);
  });

  test('a tile of a recorded participant adds none, and neither does the own tile', () => {
    const roster = inCall();
    roster.applySnapshot([alice, bot], 0);
    roster.applyTiles(tiles('Alice', 'Bot (Unverified)'), true, 0);
    expect(roster.applyTiles(tiles('Alice', 'Bot (Unverified)'), true, 5_000)).toEqual([]);
  });

  test('all participants have left after 10 s without a tile, unless a full list says otherwise', () => {
    const roster = inCall();
    roster.applySnapshot([alice, bot], 0);
    roster.applyTiles(tiles('Alice'), true, 1_000);
    expect(roster.applyTiles([], true, 10_900)).toEqual([]);
    expect(changes(roster.applyTiles([], true, 11_000))).toEqual(['left 8:orgid:a']);
  });

  test('speech leads to its participant by stream or by tile; two participants of one name cannot be distinguished', () => {
    const roster = inCall();
    roster.applySnapshot([alice, bruno, record('8:orgid:c', 'Bruno'), bot], 0);
    expect(roster.ownerOf('active-speaker', '101')).toEqual({
      participantId: '8:orgid:a',
      name: 'Alice',
      isSelf: false,
    });
    expect(roster.ownerOf('tiles', 'Alice')).toMatchObject({ participantId: '8:orgid:a' });
    expect(roster.ownerOf('tiles', 'Bruno')).toEqual({ participantId: null, name: 'Bruno', isSelf: false });
    expect(roster.ownerOf('mixed-audio', 'mix')).toEqual({ participantId: null, name: null, isSelf: false });
    expect(roster.ownerOf('active-speaker', '999')).toEqual({ participantId: null, name: null, isSelf: false });
    roster.hintSpeech('999', 'Alice');
    expect(roster.ownerOf('active-speaker', '999')).toMatchObject({ participantId: '8:orgid:a' });
  });

  test('passes the names of the streams to the page', () => {
    const roster = inCall();
    roster.applySnapshot([alice, bot], 0);
    expect(roster.speechOwners()).toMatchObject({ names: { 101: 'Alice' }, ownName: 'Bot' });
  });

  test('passes all participants but the bot to the page, in their order of joining', () => {
    const roster = inCall();
    roster.applySnapshot([bruno, alice, bot], 0);
    expect(roster.speechOwners().participants).toEqual(['Bruno', 'Alice']);
  });

  test('the bot is in its call although no record says so', () => {
    const roster = new TeamsRoster();
    roster.setOwnName('Bot');
    roster.applyTiles([], false, 0);
    expect(roster.participants()).toMatchObject([{ name: 'Bot', isSelf: true, present: true }]);
  });

  test("the bot's own record after the first reading of the call adds no participant", () => {
    const roster = new TeamsRoster();
    roster.setOwnName('Bot');
    roster.applyTiles(tiles('Bot'), true, 0);
    expect(roster.applyFrame([{ ...bot, speakers: ['7'] }], 100)).toEqual([]);
    expect(roster.participants()).toMatchObject([{ id: 'self', name: 'Bot', isSelf: true }]);
    expect(roster.ownerOf('active-speaker', '7')).toMatchObject({ participantId: 'self', isSelf: true });
    roster.applyFrame([record('8:teamsvisitor:y', 'Bot (Unverified)')], 200);
    expect(roster.participants().map(({ isSelf }) => isSelf)).toEqual([true, false]);
  });

  test('of two guests with its name the one that stays is the bot, when its earlier presence has left', () => {
    const roster = new TeamsRoster();
    roster.setOwnName('Bot');
    const [old, living] = [record('8:teamsvisitor:old', 'Bot (Unverified)'), bot];
    roster.applyFrame([old, living, alice], 0);
    roster.applyFrame([{ ...old, present: false }], 40_000);
    expect(roster.find(living.id)?.isSelf).toBe(true);
    expect(roster.participants().filter(({ present, isSelf }) => present && !isSelf)).toMatchObject([
      { name: 'Alice' },
    ]);
  });

  test('the client says who the bot is, although a record has its name', () => {
    const roster = new TeamsRoster();
    roster.setOwnName('Bot');
    const other = record('8:teamsvisitor:old', 'Bot (Unverified)');
    roster.applyFrame([other, bot], 0);
    const participants = [other, bot].map(({ id }) => ({ id, displayName: 'Bot (Unverified)' }));
    roster.applyGlobals({ selfId: bot.id, participants }, 100);
    expect([roster.find(bot.id)?.isSelf, roster.find(other.id)?.isSelf]).toEqual([true, false]);
  });

  test("a signed-in bot's own tile and video have the name of its account", () => {
    const roster = new TeamsRoster();
    const participants = [{ id: '8:orgid:me', displayName: 'Notes' }];
    roster.applyGlobals({ selfId: '8:orgid:me', participants }, 0);
    roster.applyTiles(tiles('Notes', 'Alice'), true, 0);
    expect(roster.speechOwners().ownName).toBe('Notes');
    expect(changes(roster.applyTiles(tiles('Notes', 'Alice'), true, 5_000))).toEqual(['appeared tile:Alice']);
  });

  test('two tiles of one name are two participants, whose speech the page cannot attribute', () => {
    const roster = inCall();
    roster.applyTiles(tiles('Alex', 'Alex'), true, 0);
    roster.applyTiles(tiles('Alex', 'Alex'), true, 3_000);
    expect(roster.participants().map(({ id }) => id)).toEqual([bot.id, 'tile:Alex', 'tile#2:Alex']);
    expect(roster.ownerOf('tiles', 'Alex')).toEqual({ participantId: null, name: 'Alex', isSelf: false });
    roster.applyTiles(tiles('Alex'), true, 4_000);
    expect(changes(roster.applyTiles(tiles('Alex'), true, 6_100))).toEqual(['left tile#2:Alex']);
    expect(roster.ownerOf('tiles', 'Alex')).toMatchObject({ participantId: 'tile:Alex' });
  });

  test('an empty list of others is a list that was read', () => {
    const roster = new TeamsRoster();
    roster.applyGlobals({ selfId: null, participants: [] }, 5_000);
    expect(roster.readAtMs).toBe(5_000);
  });

  test('neither is the record that the client itself calls its own', () => {
    const roster = new TeamsRoster();
    roster.setOwnName('Bot');
    roster.applyTiles([], true, 0);
    const participants = [
      { id: '8:orgid:me', displayName: 'Signed In' },
      { id: '8:orgid:a', displayName: 'Alice' },
    ];
    roster.applyGlobals({ selfId: '8:orgid:me', participants }, 100);
    expect(roster.participants().map(({ id, name, isSelf }) => [id, name, isSelf])).toEqual([
      ['self', 'Signed In', true],
      ['8:orgid:a', 'Alice', false],
    ]);
  });
});

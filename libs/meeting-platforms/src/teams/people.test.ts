import { describe, expect, test } from '@jest/globals';
import { TeamsPeople } from './people.ts';
import type { TeamsParticipant } from './signalling.ts';

const record = (id: string, displayName: string | null, more: Partial<TeamsParticipant> = {}): TeamsParticipant => ({
  id,
  displayName,
  present: true,
  isHost: false,
  voices: [],
  ...more,
});
const tiles = (...names: string[]) => names.map((name) => ({ name, isScreen: false }));
const changes = (list: readonly { change: string; person: { id: string } }[]): string[] =>
  list.map(({ change, person }) => `${change} ${person.id}`);
const alice = record('8:orgid:a', 'Alice', { voices: ['101'] });
const bruno = record('8:orgid:b', 'Bruno', { voices: ['102'] });
const bot = record('8:teamsvisitor:x', 'Bot (Unverified)');

function inCall(): TeamsPeople {
  const people = new TeamsPeople();
  people.setOwnName('Bot');
  people.applyFrame([bot], 0);
  return people;
}

describe('TeamsPeople', () => {
  test('the bot finds itself among the guests by the name it typed, without the mark behind it', () => {
    const people = new TeamsPeople();
    people.setOwnName('Alice');
    people.applyFrame([alice, record('8:teamsvisitor:x', 'Alice (Unverified)')], 0);
    expect(people.people().map(({ id, name, isSelf }) => [id, name, isSelf])).toEqual([
      ['8:orgid:a', 'Alice', false],
      ['8:teamsvisitor:x', 'Alice', true],
    ]);
  });

  test('the client itself says who the bot is, where no record did', () => {
    const people = new TeamsPeople();
    const participants = [{ id: '8:orgid:me', displayName: 'Signed In' }];
    people.applyGlobals({ selfId: '8:orgid:me', participants }, 0);
    expect(people.people()).toMatchObject([{ id: '8:orgid:me', isSelf: true }]);
  });

  test('a late joiner gets changes by frames and everybody by the roster that is fetched', () => {
    const people = inCall();
    expect(changes(people.applySnapshot([alice, bruno, bot], 10))).toEqual([
      'appeared 8:orgid:a',
      'appeared 8:orgid:b',
    ]);
    expect(changes(people.applyFrame([record('8:orgid:b', 'Bruno', { present: false })], 20))).toEqual([
      'left 8:orgid:b',
    ]);
    expect(changes(people.applyFrame([bruno], 30))).toEqual(['appeared 8:orgid:b']);
  });

  test('who is missing in the fetched roster has left, unless the page still shows them', () => {
    const people = inCall();
    people.applySnapshot([alice, bruno, bot], 0);
    people.applyTiles(tiles('Alice', 'Bruno'), true, 1_000);
    people.applyTiles(tiles('Alice'), true, 9_000);
    expect(changes(people.applySnapshot([bot], 10_000))).toEqual(['left 8:orgid:b']);
  });

  test('without records the tiles say who is there after 3 s, and who has left', () => {
    const people = inCall();
    expect(people.applyTiles(tiles('Alice', 'Zoe (Guest)'), true, 0)).toEqual([]);
    people.applyTiles(tiles('Alice', 'Zoe (Guest)'), true, 3_000);
    expect(people.people().map(({ name }) => name)).toEqual(['Bot', 'Alice', 'Zoe']);
    people.applyTiles(tiles('Alice'), true, 4_000);
    expect(changes(people.applyTiles(tiles('Alice'), true, 6_100))).toEqual(['left tile:Zoe']);
  });

  test('a record that comes after the tile speaks of the same person', () => {
    const people = inCall();
    people.applyTiles(tiles('Alice'), true, 0);
    people.applyTiles(tiles('Alice'), true, 3_000);
    expect(people.applyFrame([alice], 4_000)).toEqual([]);
    expect(people.ownerOf('active-speaker', '101')).toMatchObject({ personId: 'tile:Alice', name: 'Alice' });
    people.applyTiles(tiles(), true, 8_000);
    expect(people.people().find(({ name }) => name === 'Alice')?.present).toBe(true);
  });

  test('a tile of somebody in the records is nobody new, and neither is the own tile', () => {
    const people = inCall();
    people.applySnapshot([alice, bot], 0);
    people.applyTiles(tiles('Alice', 'Bot (Unverified)'), true, 0);
    expect(people.applyTiles(tiles('Alice', 'Bot (Unverified)'), true, 5_000)).toEqual([]);
  });

  test('everybody has left when nobody has a tile for 10 s and no full list says otherwise', () => {
    const people = inCall();
    people.applySnapshot([alice, bot], 0);
    people.applyTiles(tiles('Alice'), true, 1_000);
    expect(people.applyTiles([], true, 10_900)).toEqual([]);
    expect(changes(people.applyTiles([], true, 11_000))).toEqual(['left 8:orgid:a']);
  });

  test('a voice leads to its person by stream or by tile; two people of one name can not be told apart', () => {
    const people = inCall();
    people.applySnapshot([alice, bruno, record('8:orgid:c', 'Bruno'), bot], 0);
    expect(people.ownerOf('active-speaker', '101')).toEqual({ personId: '8:orgid:a', name: 'Alice', isSelf: false });
    expect(people.ownerOf('tiles', 'Alice')).toMatchObject({ personId: '8:orgid:a' });
    expect(people.ownerOf('tiles', 'Bruno')).toEqual({ personId: null, name: 'Bruno', isSelf: false });
    expect(people.ownerOf('mixed-sound', 'mix')).toEqual({ personId: null, name: null, isSelf: false });
    expect(people.ownerOf('active-speaker', '999')).toEqual({ personId: null, name: null, isSelf: false });
    people.hintVoice('999', 'Alice');
    expect(people.ownerOf('active-speaker', '999')).toMatchObject({ personId: '8:orgid:a' });
  });

  test('tells the page the names behind the streams', () => {
    const people = inCall();
    people.applySnapshot([alice, bot], 0);
    expect(people.voiceOwners()).toMatchObject({ names: { 101: 'Alice' }, ownName: 'Bot' });
  });

  test('tells the page everybody but the bot, in the order of their coming', () => {
    const people = inCall();
    people.applySnapshot([bruno, alice, bot], 0);
    expect(people.voiceOwners().people).toEqual(['Bruno', 'Alice']);
  });

  test('the bot is in its call although no record says so', () => {
    const people = new TeamsPeople();
    people.setOwnName('Bot');
    people.applyTiles([], false, 0);
    expect(people.people()).toMatchObject([{ name: 'Bot', isSelf: true, present: true }]);
  });

  test("the bot's own record that comes after the first look at the call is nobody new", () => {
    const people = new TeamsPeople();
    people.setOwnName('Bot');
    people.applyTiles(tiles('Bot'), true, 0);
    expect(people.applyFrame([{ ...bot, voices: ['7'] }], 100)).toEqual([]);
    expect(people.people()).toMatchObject([{ id: 'self', name: 'Bot', isSelf: true }]);
    expect(people.ownerOf('active-speaker', '7')).toMatchObject({ personId: 'self', isSelf: true });
    people.applyFrame([record('8:teamsvisitor:y', 'Bot (Unverified)')], 200);
    expect(people.people().map(({ isSelf }) => isSelf)).toEqual([true, false]);
  });

  test('neither is the record that the client itself calls its own', () => {
    const people = new TeamsPeople();
    people.setOwnName('Bot');
    people.applyTiles([], true, 0);
    const participants = [
      { id: '8:orgid:me', displayName: 'Signed In' },
      { id: '8:orgid:a', displayName: 'Alice' },
    ];
    people.applyGlobals({ selfId: '8:orgid:me', participants }, 100);
    expect(people.people().map(({ id, name, isSelf }) => [id, name, isSelf])).toEqual([
      ['self', 'Signed In', true],
      ['8:orgid:a', 'Alice', false],
    ]);
  });
});

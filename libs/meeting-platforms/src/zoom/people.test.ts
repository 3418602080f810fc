import { describe, expect, test } from '@jest/globals';
import { ZoomPeople } from './people.ts';

const entry = (id: number, name: string | null, isHost: boolean | null = false) => ({ id: String(id), name, isHost });
const crew = () => new ZoomPeople(() => 'Rapporteur');
const names = (people: ZoomPeople) => people.people().map(({ name }) => name);

describe('who is in a Zoom call', () => {
  test('the messages say it, and the bot is whoever has its name', () => {
    const people = crew();
    people.applyRoster([entry(1024, 'Alice', true), entry(2048, 'Rapporteur')], [], 5);
    expect(people.people()).toMatchObject([
      { id: '1024', name: 'Alice', isHost: true, isSelf: false, present: true },
      { id: '2048', name: 'Rapporteur', isSelf: true },
    ]);
    expect(people.applyRoster([], ['1024'], 9)).toMatchObject([{ change: 'left', person: { leftAtMs: 9 } }]);
  });

  test('of two with its name the bot is the later one, and stays it', () => {
    const people = crew();
    people.applyRoster([entry(1024, 'Rapporteur'), entry(2048, 'Rapporteur')], [], 5);
    people.applyRoster([entry(4096, 'Rapporteur')], [], 6);
    expect(people.people().filter(({ isSelf }) => isSelf)).toMatchObject([{ id: '2048' }]);
  });

  test('a change without a name or a role keeps both', () => {
    const people = crew();
    people.applyRoster([entry(1024, 'Alice', true)], [], 5);
    people.applyRoster([entry(1024, null, null)], [], 6);
    expect(people.people()).toMatchObject([{ name: 'Alice', isHost: true }]);
  });

  test('without messages the page says it, and who vanishes from it has left', () => {
    const people = crew();
    const listed = [
      { name: 'Alice', isSelf: false, isHost: true },
      { name: 'Rapporteur', isSelf: true, isHost: false },
    ];
    people.applyPage([{ name: 'Bruno', speaking: false }], listed, 0);
    expect(names(people)).toEqual(['Alice', 'Rapporteur', 'Bruno']);
    expect(people.people()).toMatchObject([{ isHost: true }, { isSelf: true }, {}]);
    expect(people.applyPage([], listed, 2_999)).toEqual([]);
    expect(people.applyPage([], listed, 3_000)).toMatchObject([{ change: 'left', person: { name: 'Bruno' } }]);
  });

  test('messages that come late replace what the page said', () => {
    const people = crew();
    people.applyPage([{ name: 'Alice', speaking: false }], [], 0);
    people.applyRoster([entry(1024, 'Alice')], [], 1);
    people.applyPage([{ name: 'Alice', speaking: false }], [], 2);
    expect(people.people().filter(({ present }) => present)).toMatchObject([{ id: '1024' }]);
  });

  test('a voice belongs to an id, or to the only one with that name; else it keeps the name and no person', () => {
    const people = crew();
    people.applyRoster(
      [entry(1024, 'Alice'), entry(2048, 'Bob'), entry(3072, 'Bob'), entry(4096, 'Rapporteur')],
      [],
      0,
    );
    expect(people.ownerOf('levels', '1024')).toEqual({ personId: '1024', name: 'Alice', isSelf: false });
    expect(people.ownerOf('tiles', 'name:Alice')).toEqual({ personId: '1024', name: 'Alice', isSelf: false });
    expect(people.ownerOf('tiles', 'name:Bob')).toEqual({ personId: null, name: 'Bob', isSelf: false });
    expect(people.ownerOf('levels', '9999')).toEqual({ personId: null, name: null, isSelf: false });
    expect(people.ownerOf('levels', '4096').isSelf).toBe(true);
  });
});

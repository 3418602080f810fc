import { describe, expect, test } from '@jest/globals';
import { ZoomRoster } from './participants.ts';

const entry = (id: number, name: string | null, isHost: boolean | null = false) => ({ id: String(id), name, isHost });
const crew = () => new ZoomRoster(() => 'Rapporteur');
const names = (participants: ZoomRoster) => participants.participants().map(({ name }) => name);

describe('who is in a Zoom call', () => {
  test('the messages say it, and the participant with the name of the bot is the bot', () => {
    const participants = crew();
    participants.applyRoster([entry(1024, 'Alice', true), entry(2048, 'Rapporteur')], [], 5);
    expect(participants.participants()).toMatchObject([
      { id: '1024', name: 'Alice', isHost: true, isSelf: false, present: true },
      { id: '2048', name: 'Rapporteur', isSelf: true },
    ]);
    expect(participants.applyRoster([], ['1024'], 9)).toMatchObject([{ change: 'left', participant: { leftAtMs: 9 } }]);
  });

  test('of two with its name the bot is the later one, and stays it', () => {
    const participants = crew();
    participants.applyRoster([entry(1024, 'Rapporteur'), entry(2048, 'Rapporteur')], [], 5);
    participants.applyRoster([entry(4096, 'Rapporteur')], [], 6);
    expect(participants.participants().filter(({ isSelf }) => isSelf)).toMatchObject([{ id: '2048' }]);
  });

  test('the server says which participant is the bot, whatever its name is', () => {
    const participants = crew();
    participants.applySelf('1024', 4);
    participants.applyRoster([entry(1024, 'Renamed by the host'), entry(2048, 'Rapporteur')], [], 5);
    expect(participants.participants().map(({ isSelf }) => isSelf)).toEqual([true, false]);
    expect(participants.self?.name).toBe('Renamed by the host');
    // In a breakout room the bot has another id, among others.
    participants.applySelf('3072', 6);
    participants.applyRoster([entry(3072, 'Renamed by the host'), entry(4096, 'Ada')], [], 7);
    expect(participants.participants().flatMap(({ id, present, isSelf }) => (present ? [[id, isSelf]] : []))).toEqual([
      ['3072', true],
      ['4096', false],
    ]);
  });

  test('two names on the page are two participants, whose speech it cannot attribute', () => {
    const participants = crew();
    const alex = { name: 'Alex', speaking: false };
    participants.applyPage([alex, alex], [], 0);
    expect(participants.participants().map(({ id }) => id)).toEqual(['name:Alex', 'name#2:Alex']);
    expect(participants.ownerOf('tiles', 'name:Alex')).toEqual({ participantId: null, name: 'Alex', isSelf: false });
    participants.applyPage([alex], [], 3_000);
    expect(participants.ownerOf('tiles', 'name:Alex')).toMatchObject({ participantId: 'name:Alex' });
  });

  test('messages of any kind show that the list is up to date', () => {
    const participants = crew();
    participants.confirm(3);
    expect(participants.readAtMs).toBeNull();
    participants.applyRoster([entry(1024, 'Alice')], [], 5);
    participants.confirm(60_000);
    expect(participants.readAtMs).toBe(60_000);
  });

  test('a change without a name or a role keeps both', () => {
    const participants = crew();
    participants.applyRoster([entry(1024, 'Alice', true)], [], 5);
    participants.applyRoster([entry(1024, null, null)], [], 6);
    expect(participants.participants()).toMatchObject([{ name: 'Alice', isHost: true }]);
  });

  test('without messages the page says it, and who vanishes from it has left', () => {
    const participants = crew();
    const listed = [
      { name: 'Alice', isSelf: false, isHost: true },
      { name: 'Rapporteur', isSelf: true, isHost: false },
    ];
    participants.applyPage([{ name: 'Bruno', speaking: false }], listed, 0);
    expect(names(participants)).toEqual(['Alice', 'Rapporteur', 'Bruno']);
    expect(participants.participants()).toMatchObject([{ isHost: true }, { isSelf: true }, {}]);
    expect(participants.applyPage([], listed, 2_999)).toEqual([]);
    expect(participants.applyPage([], listed, 3_000)).toMatchObject([
      { change: 'left', participant: { name: 'Bruno' } },
    ]);
  });

  test('messages that come late replace what the page said', () => {
    const participants = crew();
    participants.applyPage([{ name: 'Alice', speaking: false }], [], 0);
    participants.applyRoster([entry(1024, 'Alice')], [], 1);
    participants.applyPage([{ name: 'Alice', speaking: false }], [], 2);
    expect(participants.participants().filter(({ present }) => present)).toMatchObject([{ id: '1024' }]);
  });

  test('a voice belongs to an id, or to the only one with that name; else it keeps the name and no person', () => {
    const participants = crew();
    participants.applyRoster(
      [entry(1024, 'Alice'), entry(2048, 'Bob'), entry(3072, 'Bob'), entry(4096, 'Rapporteur')],
      [],
      0,
    );
    expect(participants.ownerOf('levels', '1024')).toEqual({ participantId: '1024', name: 'Alice', isSelf: false });
    expect(participants.ownerOf('tiles', 'name:Alice')).toEqual({
      participantId: '1024',
      name: 'Alice',
      isSelf: false,
    });
    expect(participants.ownerOf('tiles', 'name:Bob')).toEqual({ participantId: null, name: 'Bob', isSelf: false });
    expect(participants.ownerOf('levels', '9999')).toEqual({ participantId: null, name: null, isSelf: false });
    expect(participants.ownerOf('levels', '4096').isSelf).toBe(true);
  });
});

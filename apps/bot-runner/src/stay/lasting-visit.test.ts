import { describe, expect, test } from '@jest/globals';
import type { MeetingPerson, MeetingVisit, SpeakerTurn, VisitSignal } from '@rapporteur/meeting-platforms';
import { listPeople } from '../story/people-list.ts';
import { storyEventOf } from '../story/story-of-visit.ts';
import { LastingVisit } from './lasting-visit.ts';

let nowMs = 0;

/** The visit of one page. */
class OnePage {
  readonly #listeners = new Set<(signal: VisitSignal) => void>();
  readonly people: MeetingPerson[] = [];
  stopped = false;
  heardMs = 0;

  /** As far as a lasting visit asks. */
  get visit(): MeetingVisit {
    return {
      onSignal: (listener: (signal: VisitSignal) => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      people: () => this.people,
      speaking: () => [],
      health: () => ({
        pageAnsweredAtMs: nowMs,
        rosterReadAtMs: nowMs,
        voiceHeardAtMs: null,
        sureVoiceHeardAtMs: null,
      }),
      sendChat: async () => ({ sent: true }),
      screenshot: async () => Buffer.from('picture'),
      clearSound: () => undefined,
      soundHeard: () => this.heardMs,
      stop: () => {
        this.stopped = true;
      },
    } as unknown as MeetingVisit;
  }

  tell(signal: VisitSignal): void {
    for (const listener of this.#listeners) listener(signal);
  }

  appears(id: string, name: string, isSelf = false): void {
    const person = {
      id,
      name,
      isSelf,
      avatarUrl: null,
      isHost: false,
      present: true,
      appearedAtMs: nowMs,
      leftAtMs: null,
    };
    this.people.push(person);
    this.tell({ kind: 'person', change: 'appeared', person, atMs: nowMs });
  }

  speaks(turnId: number): void {
    this.tell({ kind: 'speaker', change: 'started', turn: { turnId } as SpeakerTurn, atMs: nowMs });
  }

  writes(id: string): void {
    const message = { id, senderId: null, senderName: 'Alice', text: 'Hello', sentAtMs: nowMs, own: false };
    this.tell({ kind: 'chat', message, atMs: nowMs });
  }
}

function open() {
  nowMs = 1_000;
  const first = new OnePage();
  const visit = new LastingVisit(first.visit, () => nowMs);
  const told: VisitSignal[] = [];
  visit.onSignal((signal) => told.push(signal));
  return { first, visit, told };
}

describe('a visit whose page is replaced', () => {
  test('keeps everybody one person, whoever gets a new id with the new page', () => {
    const { first, visit, told } = open();
    first.appears('bot-1', 'Rapporteur', true);
    first.appears('7', 'Alice');
    first.appears('8', 'Bruno');
    nowMs = 5_000;
    const second = new OnePage();
    visit.replace(second.visit);
    nowMs = 9_000;
    second.appears('bot-2', 'Rapporteur', true);
    second.appears('17', 'Alice');
    second.appears('8', 'Bruno');
    const people = listPeople(told.flatMap((signal) => storyEventOf(signal) ?? []));
    expect(people.participants.map(({ name }) => name)).toEqual(['Alice', 'Bruno']);
    expect([people.idOf('7'), people.idOf('17'), people.idOf('8')]).toEqual([1, 1, 2]);
    expect(visit.people().map(({ id, present }) => [id, present])).toEqual([
      ['bot-1', false],
      ['7', false],
      ['8', true],
      ['bot-2', true],
      ['17', true],
    ]);
    expect(visit.people().find(({ id }) => id === '8')?.appearedAtMs).toBe(1_000);
  });

  test('takes what is left of its own earlier presence for nobody else', () => {
    const { first, visit } = open();
    first.appears('bot-1', 'Rapporteur', true);
    const second = new OnePage();
    visit.replace(second.visit);
    second.appears('bot-1', 'Rapporteur');
    expect(visit.people().map(({ isSelf }) => isSelf)).toEqual([true]);
  });

  test('numbers turns on, and tells each message once', () => {
    const { first, visit, told } = open();
    first.speaks(1);
    first.speaks(2);
    first.writes('a');
    const second = new OnePage();
    visit.replace(second.visit);
    second.speaks(1);
    second.writes('a');
    second.writes('b');
    expect(told.flatMap((signal) => (signal.kind === 'speaker' ? [signal.turn.turnId] : []))).toEqual([1, 2, 3]);
    expect(told.flatMap((signal) => (signal.kind === 'chat' ? [signal.message.id] : []))).toEqual(['a', 'b']);
  });

  test('says while it is lost that nothing can be written or shown, and hears nothing of the lost page any more', async () => {
    const { first, visit, told } = open();
    visit.lose();
    expect(first.stopped).toBe(true);
    first.writes('late');
    expect(told).toEqual([]);
    expect(await visit.sendChat('Hello')).toMatchObject({ sent: false, reason: 'panel_not_attached' });
    expect(await visit.screenshot(50)).toBeNull();
    visit.replace(new OnePage().visit);
    expect(await visit.sendChat('Hello')).toEqual({ sent: true });
  });

  test('counts what was said over all its pages', () => {
    const { first, visit } = open();
    first.heardMs = 700;
    const second = new OnePage();
    visit.replace(second.visit);
    second.heardMs = 200;
    expect(visit.soundHeard()).toBe(900);
  });

  test('counts what comes to be said while it is lost as over at once', () => {
    const { first, visit } = open();
    first.heardMs = 700;
    visit.lose();
    visit.playSound(Buffer.alloc(4_800), 24_000);
    expect(visit.soundHeard()).toBe(800);
    visit.replace(new OnePage().visit);
    expect(visit.soundHeard()).toBe(800);
  });
});

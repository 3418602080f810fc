import { describe, expect, test } from '@jest/globals';
import type {
  MeetingParticipant,
  MeetingSession,
  PagePackUse,
  SpeakerTurn,
  SessionSignal,
} from '@rapporteur/meeting-platforms';
import { listParticipants } from '../story/participant-list.ts';
import { storyEventOf } from '../story/story-of-session.ts';
import { BrowserSession } from './browser-session.ts';
import { DurableSession } from './durable-session.ts';

let nowMs = 0;

/** The session of one page. */
class OnePage {
  readonly #listeners = new Set<(signal: SessionSignal) => void>();
  readonly participants: MeetingParticipant[] = [];
  stopped = false;
  finishedAudio = 0;
  matchedCandidates: PagePackUse['matchedCandidates'] = {};

  /** The part of a session that a durable session uses. */
  get session(): MeetingSession {
    return {
      onSignal: (listener: (signal: SessionSignal) => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      participants: () => this.participants,
      speaking: () => [],
      health: () => ({
        pageRespondedAtMs: nowMs,
        rosterReadAtMs: nowMs,
        speechAtMs: null,
        certainSpeechAtMs: null,
      }),
      sendChat: async () => ({ sent: true }),
      screenshot: async () => Buffer.from('video'),
      pagePackUse: () => ({ pagePackVersion: '1', matchedCandidates: this.matchedCandidates, rule: null }),
      clearAudio: () => undefined,
      finishedAudioMs: () => this.finishedAudio,
      stop: () => {
        this.stopped = true;
      },
    } as unknown as MeetingSession;
  }

  notify(signal: SessionSignal): void {
    for (const listener of this.#listeners) listener(signal);
  }

  appears(id: string, name: string, isSelf = false): void {
    const participant = {
      id,
      name,
      isSelf,
      avatarUrl: null,
      isHost: false,
      present: true,
      appearedAtMs: nowMs,
      leftAtMs: null,
    };
    this.participants.push(participant);
    this.notify({ kind: 'participant', change: 'appeared', participant, atMs: nowMs });
  }

  speaks(turnId: number): void {
    this.notify({ kind: 'speaker', change: 'started', turn: { turnId } as SpeakerTurn, atMs: nowMs });
  }

  captions(key: string): void {
    const words = { participantId: '7', name: 'Alice', text: 'Hello', isFinal: true, language: null };
    this.notify({ kind: 'caption', caption: { ...words, key, atMs: nowMs } });
  }

  writes(id: string, sentAtMs = nowMs): void {
    const message = { id, senderId: null, senderName: 'Alice', text: 'Hello', sentAtMs, own: false };
    this.notify({ kind: 'chat', message, atMs: nowMs });
  }
}

function open() {
  nowMs = 1_000;
  const first = new OnePage();
  const session = new DurableSession(first.session, () => nowMs);
  const reported: SessionSignal[] = [];
  session.onSignal((signal) => reported.push(signal));
  return { first, session, reported };
}

describe('a visit whose page is replaced', () => {
  test('keeps one participant each when the new page assigns new ids', () => {
    const { first, session, reported } = open();
    first.appears('bot-1', 'Rapporteur', true);
    first.appears('7', 'Alice');
    first.appears('8', 'Bruno');
    nowMs = 5_000;
    const second = new OnePage();
    session.replace(second.session);
    nowMs = 9_000;
    second.appears('bot-2', 'Rapporteur', true);
    second.appears('17', 'Alice');
    second.appears('8', 'Bruno');
    const participants = listParticipants(reported.flatMap((signal) => storyEventOf(signal) ?? []));
    expect(participants.participants.map(({ name }) => name)).toEqual(['Alice', 'Bruno']);
    expect([participants.idOf('7'), participants.idOf('17'), participants.idOf('8')]).toEqual([1, 1, 2]);
    expect(session.participants().map(({ id, present }) => [id, present])).toEqual([
      ['bot-1', false],
      ['7', false],
      ['8', true],
      ['bot-2', true],
      ['17', true],
    ]);
    expect(session.participants().find(({ id }) => id === '8')?.appearedAtMs).toBe(1_000);
  });

  test('does not report its own earlier presence as a participant', () => {
    const { first, session } = open();
    first.appears('bot-1', 'Rapporteur', true);
    const second = new OnePage();
    session.replace(second.session);
    second.appears('bot-1', 'Rapporteur');
    expect(session.participants().map(({ isSelf }) => isSelf)).toEqual([true]);
  });

  test('keeps the captions of each page apart, which may count them from 1', () => {
    const { first, session, reported } = open();
    first.captions('7/1');
    first.captions('7/1');
    const second = new OnePage();
    session.replace(second.session);
    second.captions('7/1');
    const keys = reported.flatMap((signal) => (signal.kind === 'caption' ? [signal.caption.key] : []));
    expect(keys).toEqual(['7/1', '7/1', '2:7/1']);
  });

  test('continues the numbers of turns, and reports each message once', () => {
    const { first, session, reported } = open();
    first.speaks(1);
    first.speaks(2);
    first.writes('a');
    const second = new OnePage();
    session.replace(second.session);
    second.speaks(1);
    second.writes('a');
    second.writes('b');
    expect(reported.flatMap((signal) => (signal.kind === 'speaker' ? [signal.turn.turnId] : []))).toEqual([1, 2, 3]);
    expect(reported.flatMap((signal) => (signal.kind === 'chat' ? [signal.message.id] : []))).toEqual(['a', 'b']);
  });

  test('does not report the history that the next page shows under other ids, and the same words said again are new', () => {
    const { first, session, reported } = open();
    nowMs = 100_000;
    first.writes('a');
    nowMs = 200_000;
    const second = new OnePage();
    session.replace(second.session);
    nowMs = 205_000;
    second.writes('row-1', 60_000);
    second.writes('row-2');
    const third = new OnePage();
    session.replace(third.session);
    nowMs = 300_000;
    third.writes('row-3', 100_000);
    third.writes('row-4', 204_999);
    third.writes('row-5', 150_000);
    expect(reported.flatMap((signal) => (signal.kind === 'chat' ? [signal.message.id] : []))).toEqual([
      'a',
      'row-2',
      'row-5',
    ]);
  });

  test('refuses chat and images while it is lost, and ignores signals of the lost page', async () => {
    const { first, session, reported } = open();
    session.lose();
    expect(first.stopped).toBe(true);
    first.writes('late');
    expect(reported).toEqual([]);
    expect(await session.sendChat('Hello')).toMatchObject({ sent: false, reason: 'panel_not_attached' });
    expect(await session.screenshot(50)).toBeNull();
    session.replace(new OnePage().session);
    expect(await session.sendChat('Hello')).toEqual({ sent: true });
  });

  test('keeps the first match of each element, of whichever page', () => {
    const { first, session } = open();
    first.matchedCandidates = { leave: { index: 1, of: 3 } };
    const second = new OnePage();
    session.replace(second.session);
    second.matchedCandidates = { leave: { index: 0, of: 3 }, chatSend: { index: 2, of: 4 } };
    expect(session.pagePackUse()).toEqual({
      pagePackVersion: '1',
      matchedCandidates: { leave: { index: 1, of: 3 }, chatSend: { index: 2, of: 4 } },
      rule: null,
    });
  });

  test('counts what was said over all its pages', () => {
    const { first, session } = open();
    first.finishedAudio = 700;
    const second = new OnePage();
    session.replace(second.session);
    second.finishedAudio = 200;
    expect(session.finishedAudioMs()).toBe(900);
  });

  test('counts what comes to be said while it is lost as over at once', () => {
    const { first, session } = open();
    first.finishedAudio = 700;
    session.lose();
    session.playAudio(Buffer.alloc(4_800), 24_000);
    expect(session.finishedAudioMs()).toBe(800);
    session.replace(new OnePage().session);
    expect(session.finishedAudioMs()).toBe(800);
  });
});

test('a replacement that outlasts its deadline changes nothing after a later one', async () => {
  const closed: string[] = [];
  const named = (name: string) => ({ name, close: async () => void closed.push(name) });
  const browserOf = (name: string) => ({ ...named(name), page: named(`page of ${name}`), newPage: async () => null });
  const launches = [Promise.withResolvers<object>(), Promise.withResolvers<object>()];
  let launched = 0;
  const session = await BrowserSession.prepare({
    browser: Promise.resolve(browserOf('first')),
    launch: () => launches[launched++]!.promise,
    platform: { prepare: async () => new OnePage().session },
    ports: { clock: { now: () => 0 } },
  } as never);
  const late = session.replace('browser');
  const later = session.replace('browser');
  launches[1]!.resolve(browserOf('third'));
  expect(await later).toMatchObject({ name: 'page of third' });
  launches[0]!.resolve(browserOf('second'));
  await expect(late).rejects.toThrow('Another replacement');
  expect(session.page).toMatchObject({ name: 'page of third' });
  expect(closed).toEqual(['first', 'second']);
});

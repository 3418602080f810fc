import { liveLimits, reportLimits } from '@rapporteur/contracts';
import type { LiveView } from '@rapporteur/contracts';
import type { Clock } from '@rapporteur/service-runtime/process';
import type { AttendanceListener } from '../attendance/attendance-listener.ts';
import type { MeetingStory } from '../story/meeting-story.ts';
import type { StoryEvent } from '../story/story-event.ts';

export interface LiveViewOptions {
  readonly story: Pick<MeetingStory, 'events' | 'participants'>;
  /** Null where the bot takes no images. */
  readonly screenshot: ((quality: number) => Promise<Buffer | null>) | null;
  readonly clock: Clock;
  /** Called when a view is ready to be sent. */
  readonly onReady: () => void;
}

/** Requests within this time share an image: several viewers cost as much as one. */
const imageMs = 5_000;
const quality = 40;
/** The newest events are kept: views show the last minutes. */
const mostEvents = 2_000;
const { lines, text: longestText, image: largestImage } = liveLimits;

/**
 * Speaker, captions, chat and an image of the meeting, on request: nothing is read or taken without one, and nothing is
 * shown while the recording is paused.
 */
export class LiveViews implements AttendanceListener {
  readonly #options: LiveViewOptions;
  #screenshot: LiveView['screenshot'] = null;
  #screenshotAtMs = -Infinity;
  #isPaused = false;
  #pausedAtMs = -Infinity;
  #isOver = false;
  #isTaking = false;
  #ready: LiveView | null = null;

  constructor(options: LiveViewOptions) {
    this.#options = options;
  }

  recordingPaused(): void {
    this.#isPaused = true;
    this.#ready = null;
    this.#screenshot = null;
    this.#screenshotAtMs = -Infinity;
  }

  recordingResumed(): void {
    this.#isPaused = false;
    this.#pausedAtMs = this.#options.clock.now();
  }

  over(): Promise<void> {
    this.#isOver = true;
    return Promise.resolve();
  }

  /** Prepares a view; `onReady` is called when it can be taken. Never rejects. */
  async want(): Promise<void> {
    if (this.#isTaking) return;
    this.#isTaking = true;
    try {
      await this.#takeImage();
      this.#ready = this.#view();
    } finally {
      this.#isTaking = false;
    }
    this.#options.onReady();
  }

  /** The view that is ready, once. */
  take(): LiveView | null {
    const view = this.#ready;
    this.#ready = null;
    return view;
  }

  async #takeImage(): Promise<void> {
    const { screenshot, clock } = this.#options;
    if (screenshot === null || this.#isPaused || this.#isOver || clock.now() - this.#screenshotAtMs < imageMs) return;
    const atMs = clock.now();
    const bytes = await screenshot(quality).catch(() => null);
    if (this.#isPaused) return;
    const image = bytes?.toString('base64') ?? '';
    this.#screenshotAtMs = atMs;
    this.#screenshot =
      image === '' || image.length > largestImage ? null : { takenAt: new Date(atMs).toISOString(), image };
  }

  #view(): LiveView {
    const at = new Date(this.#options.clock.now()).toISOString();
    if (this.#isPaused) return { at, speaking: [], transcript: [], chat: [], screenshot: null };
    // What was said and written during a pause stays unseen.
    const events = this.#options.story.events.slice(-mostEvents).filter((event) => timeOf(event) > this.#pausedAtMs);
    return {
      at,
      speaking: this.#speaking(events),
      transcript: this.#transcript(events),
      chat: this.#chat(events),
      screenshot: this.#screenshot,
    };
  }

  #speaking(events: readonly StoryEvent[]): string[] {
    const turns = new Map<number, Extract<StoryEvent, { kind: 'speaker' }>>();
    for (const event of events) if (event.kind === 'speaker') turns.set(event.turnId, event);
    const open = [...turns.values()].filter(({ change }) => change === 'started');
    const names = open.map(({ participantId, name }) => this.#nameOf(participantId, name));
    return [...new Set(names.filter((name) => name !== null))].slice(-lines);
  }

  #transcript(events: readonly StoryEvent[]): LiveView['transcript'] {
    const captions = new Map<string, Extract<StoryEvent, { kind: 'caption' }>>();
    for (const event of events) if (event.kind === 'caption') captions.set(event.id, event);
    return [...captions.values()]
      .toSorted((one, other) => one.startMs - other.startMs)
      .slice(-lines)
      .map(({ participantId, name, text, startMs }) => line(this.#nameOf(participantId, name), text, startMs));
  }

  #chat(events: readonly StoryEvent[]): LiveView['chat'] {
    const messages = events.filter((event) => event.kind === 'chat').slice(-lines);
    return messages.map(({ senderId, senderName, text, sentAtMs }) =>
      line(this.#nameOf(senderId, senderName), text, sentAtMs),
    );
  }

  #nameOf(participantId: string | null, name: string | null): string | null {
    return (this.#options.story.participants.nameOf(participantId) ?? name)?.slice(0, reportLimits.name) ?? null;
  }
}

function line(name: string | null, text: string, atMs: number): LiveView['chat'][number] {
  return { name, text: text.slice(0, longestText), at: new Date(atMs).toISOString() };
}

function timeOf(event: StoryEvent): number {
  switch (event.kind) {
    case 'speaker':
    case 'caption':
      return event.startMs;
    case 'chat':
      return event.sentAtMs;
    default:
      return event.atMs;
  }
}

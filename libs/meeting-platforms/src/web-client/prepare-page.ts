import type { Frame, Page } from 'playwright-core';
import { loadPageScript } from '@rapporteur/page-scripts';
import type { ParticipantVideo, OutgoingDevices, SessionPorts, SessionClock } from '../platform.ts';
import { resultWithin } from '../result-within.ts';
import { prepareLocators } from './page-locators.ts';
import { prepareOutgoingMedia } from './outgoing-media.ts';
import type { OutgoingMedia } from './outgoing-media.ts';
import type { QuietPageOptions, QuietPage } from './quiet-page.page.ts';
import type { PageClockOptions } from './page-clock.page.ts';
import type { RefusalPost, RefusedVideoOptions } from './refused-video.page.ts';

const paintingScript = new URL('./quiet-page.page.ts', import.meta.url);
/** A frozen page is captured as it is. */
const responseLimitMs = 1_000;

/** Before the page is opened. */
export async function preparePainting(page: Page, options: QuietPageOptions): Promise<PagePainting> {
  await page.addInitScript({ content: loadPageScript(paintingScript, options) });
  return new PagePainting(page);
}

/** Sets when the page paints its videos: initially, during a capture, and whenever requested. */
export class PagePainting {
  readonly #page: Page;
  #wanted = true;
  #samples = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Never rejects. */
  async set(wanted: boolean): Promise<void> {
    this.#wanted = wanted;
    if (this.#samples === 0) await this.#notify(wanted);
  }

  /** Runs it while the page paints everything. */
  async during<T>(observe: () => Promise<T>): Promise<T> {
    this.#samples += 1;
    try {
      if (!this.#wanted) await this.#notify(true);
      return await observe();
    } finally {
      this.#samples -= 1;
      if (this.#samples === 0 && !this.#wanted) void this.#notify(false);
    }
  }

  /** Serialized: the last request determines the state. */
  #notify(paints: boolean): Promise<void> {
    this.#turn = this.#turn.then(() => this.#setPainting(paints));
    return this.#turn;
  }

  async #setPainting(paints: boolean): Promise<void> {
    const requested = this.#page.evaluate(async (wanted) => {
      const driver = (globalThis as { rapporteurQuietPage?: QuietPage }).rapporteurQuietPage;
      if (wanted) await driver?.restore();
      else driver?.quiet();
    }, paints);
    await resultWithin(requested, responseLimitMs);
  }
}

const refusalScript = new URL('./refused-video.page.ts', import.meta.url);
const refusalPost = 'rapporteurRefusalPost';

/** Before the page is opened: its connections for media request no videos. */
export async function prepareRefusal(page: Page, ports: SessionPorts): Promise<RefusedVideo> {
  const refusal = new RefusedVideo(ports);
  await Promise.all([
    page.exposeBinding(refusalPost, (_source, post: unknown) => refusal.receive(post)),
    page.addInitScript({
      content: loadPageScript(refusalScript, { postName: refusalPost } satisfies RefusedVideoOptions),
    }),
  ]);
  return refusal;
}

/** The result of the refusal: a call that never connects with it is joined without it. */
export class RefusedVideo {
  readonly #ports: SessionPorts;
  #begun = false;
  #ineffectiveSinceMs: number | null = null;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  get ineffectiveSinceMs(): number | null {
    return this.#ineffectiveSinceMs;
  }

  /** A post of the page. Only its shape is validated: the page is foreign code. */
  receive(post: unknown): void {
    if (!isRefusalPost(post)) return;
    const { clock, log } = this.#ports;
    if (!this.#begun) log.info({ lines: post.lines }, 'The videos of others are refused when the call is made.');
    this.#begun = true;
    this.#ineffectiveSinceMs = post.up ? null : (this.#ineffectiveSinceMs ?? clock.now());
  }
}

function isRefusalPost(post: unknown): post is RefusalPost {
  if (typeof post !== 'object' || post === null) return false;
  const { lines, up } = post as Record<string, unknown>;
  return Number.isInteger(lines) && typeof up === 'boolean';
}

/** The scripts and listeners in every platform's page before it is opened. */
export interface PreparedPage {
  /** The bot's image and audio. */
  readonly outgoing: OutgoingMedia;
  readonly painting: PagePainting;
  /** The use of others' videos. */
  readonly videos: ParticipantVideo;
  /** Null: videos are received as the page requests. */
  readonly refusal: RefusedVideo | null;
}

export interface PagePreparation {
  readonly devices: OutgoingDevices | undefined;
  readonly videos: ParticipantVideo | undefined;
  /** Content that is not painted. */
  readonly hides: QuietPageOptions;
  readonly platform: PlatformScript;
}

/** A platform's own part of the preparation. */
export interface PlatformScript {
  readonly content: string;
  /** Name of the binding that carries the script's posts out of the page. */
  readonly postName: string;
  receive(frame: Frame, post: unknown): void;
}

/** For pages that show tracks: a hidden video continues as a track. */
export const hidesVideos: QuietPageOptions = { hides: 'video', by: 'visibility' };

/** Concurrently: each response of the browser takes time, and none depends on another. */
export async function preparePage(page: Page, ports: SessionPorts, how: PagePreparation): Promise<PreparedPage> {
  const { devices, videos = 'wanted', hides, platform } = how;
  const [outgoing, painting, refusal] = await Promise.all([
    prepareOutgoingMedia(page, ports, devices),
    preparePainting(page, hides),
    videos === 'refused' ? prepareRefusal(page, ports) : null,
    prepareLocators(page),
    preparePageClock(page, ports.clock),
    page.exposeBinding(platform.postName, ({ frame }, post: unknown) => platform.receive(frame, post)),
    page.addInitScript({ content: platform.content }),
  ]);
  return { outgoing, painting, videos, refusal };
}

const clockScript = new URL('./page-clock.page.ts', import.meta.url);
const clockBinding = 'rapporteurClock';

/** Before the page is opened: its scripts, and the recorder in it, take their times from the session's clock. */
export async function preparePageClock(page: Page, clock: SessionClock): Promise<void> {
  // The script calls the binding at once: one after the other.
  await page.exposeBinding(clockBinding, () => clock.now());
  await page.addInitScript({
    content: loadPageScript(clockScript, { bindingName: clockBinding } satisfies PageClockOptions),
  });
}

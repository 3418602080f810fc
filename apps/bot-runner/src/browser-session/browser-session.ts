import type { MeetingPlatform, ParticipantVideo, OutgoingDevices, SessionPorts } from '@rapporteur/meeting-platforms';
import type { Page } from 'playwright-core';
import type { RunningBrowser } from '../browser/launch-browser.ts';
import { attemptInPlace } from '../recovery/attempt-in-place.ts';
import type { Replacement } from '../recovery/rejoin.ts';
import { DurableSession } from './durable-session.ts';

export interface BrowserSessionOptions {
  readonly browser: Promise<RunningBrowser>;
  /** Starts another browser; the first may still run. */
  readonly launch: () => Promise<RunningBrowser>;
  readonly platform: MeetingPlatform;
  readonly ports: SessionPorts;
  readonly devices?: OutgoingDevices;
  /**
   * How others' videos are received. `refused` applies to the first page only: the cause of a lost page is unknown, and
   * refused video may cost a meeting at most one rejoin.
   */
  readonly participantVideo?: ParticipantVideo;
}

const replacedMeanwhile = 'Another replacement of the page has begun.';

/** The bot's browser, page and meeting session; the session continues when the page or browser is replaced. */
export class BrowserSession {
  readonly session: DurableSession;
  readonly #options: BrowserSessionOptions;
  #browser: RunningBrowser;
  #page: Page;
  #replacements = 0;

  private constructor(options: BrowserSessionOptions, browser: RunningBrowser, session: DurableSession) {
    this.#options = options;
    this.#browser = browser;
    this.#page = browser.page;
    this.session = session;
  }

  /**
   * In the browser's initial page, before it opens the meeting. A browser that does not start, or exits at once, is
   * started a second time. @throws Error when that fails too
   */
  static async prepare(options: BrowserSessionOptions): Promise<BrowserSession> {
    const { platform, ports, devices, participantVideo } = options;
    return await attemptInPlace(
      async (attempt) => {
        const browser = await (attempt === 1 ? options.browser : options.launch());
        const session = await platform.prepare(browser.page, ports, devices, participantVideo);
        return new BrowserSession(options, browser, new DurableSession(session, () => ports.clock.now()));
      },
      (error) => ports.log.warn({ err: error }, 'The browser did not start.'),
    );
  }

  get page(): Page {
    return this.#page;
  }

  /**
   * Prepares another page in place of the lost one, which is closed. A browser that is gone is always replaced.
   * @throws Error when neither page nor browser can be started, or when another replacement has begun meanwhile: the
   * caller's deadline does not cancel this one
   */
  async replace(how: Replacement): Promise<Page> {
    this.session.lose();
    this.#replacements += 1;
    const mine = this.#replacements;
    const old = { page: this.#page, browser: this.#browser };
    const fresh = how === 'page' ? await old.browser.newPage().catch(() => null) : null;
    const browser = fresh === null ? await this.#options.launch() : old.browser;
    if (mine !== this.#replacements) {
      await (fresh === null ? browser.close() : fresh.close()).catch(() => undefined);
      throw new Error(replacedMeanwhile);
    }
    this.#browser = browser;
    this.#page = fresh ?? browser.page;
    // A frozen page is slow to close, and closing the last page would end the browser.
    if (this.#browser === old.browser) void old.page.close().catch(() => undefined);
    else void old.browser.close();
    const { platform, ports, devices, participantVideo } = this.#options;
    if (participantVideo === 'refused') ports.log.info({}, 'The next page receives video as it requests it.');
    const next = participantVideo === 'refused' ? 'unused' : participantVideo;
    const [page, session] = [this.#page, await platform.prepare(this.#page, ports, devices, next)];
    // The later replacement closes this page.
    if (mine !== this.#replacements) throw new Error(replacedMeanwhile);
    this.session.replace(session);
    return page;
  }
}

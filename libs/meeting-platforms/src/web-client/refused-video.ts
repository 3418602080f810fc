import { loadPageScript } from '@rapporteur/page-scripts';
import type { Page } from 'playwright-core';
import type { SessionPorts } from '../platform.ts';
import type { RefusalPost, RefusedVideoOptions } from './refused-video.page.ts';

const pageScript = new URL('./refused-video.page.ts', import.meta.url);
const postName = 'rapporteurRefusalPost';

/** Before the page is opened: its connections for media request no videos. */
export async function prepareRefusal(page: Page, ports: SessionPorts): Promise<RefusedVideo> {
  const refusal = new RefusedVideo(ports);
  await Promise.all([
    page.exposeBinding(postName, (_source, post: unknown) => refusal.receive(post)),
    page.addInitScript({ content: loadPageScript(pageScript, { postName } satisfies RefusedVideoOptions) }),
  ]);
  return refusal;
}

/** The result of the refusal: a call that never connects with it is joined without it. */
export class RefusedVideo {
  readonly #ports: SessionPorts;
  #begun = false;
  #inVainSinceMs: number | null = null;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  get inVainSinceMs(): number | null {
    return this.#inVainSinceMs;
  }

  /** A post of the page. Only its shape is validated: the page is foreign code. */
  receive(post: unknown): void {
    if (!isRefusalPost(post)) return;
    const { clock, log } = this.#ports;
    if (!this.#begun) log.info({ lines: post.lines }, "Others' pictures are refused when the call is made.");
    this.#begun = true;
    this.#inVainSinceMs = post.up ? null : (this.#inVainSinceMs ?? clock.now());
  }
}

function isRefusalPost(post: unknown): post is RefusalPost {
  if (typeof post !== 'object' || post === null) return false;
  const { lines, up } = post as Record<string, unknown>;
  return Number.isInteger(lines) && typeof up === 'boolean';
}

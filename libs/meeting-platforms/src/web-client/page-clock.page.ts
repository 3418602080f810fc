// Runs in each frame of a meeting's page before its own scripts: aligns the time of page scripts with the bot's clock.
import { alignTimeOrigin } from '@rapporteur/page-scripts/page-time';

export interface PageClockOptions {
  /** Name of the binding that returns the time of the bot's clock, epoch ms. */
  readonly bindingName: string;
}

export function install({ bindingName }: PageClockOptions): void {
  const request = (globalThis as Record<string, unknown>)[bindingName];
  if (typeof request !== 'function') return;
  const sentMs = performance.now();
  const align = (clockMs: number): void => alignTimeOrigin(clockMs - performance.now(), clockMs - sentMs);
  void (request as () => Promise<number>)().then(align, () => undefined);
}

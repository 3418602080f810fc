import { platformNames } from '../sites/platforms.ts';
import type { PlatformName } from '../sites/platforms.ts';
import type { PageChange } from './page-change.ts';
import { pageChangePresets } from './presets.ts';
import type { PageChangeChoice } from './choice.ts';

/** The changes of the platforms' pages. A page is served with the change of the moment at which it is opened. */
export class PageChanges {
  readonly #chosen = new Map<PlatformName, PageChangeChoice>();

  /** For one platform, or for all. */
  choose(choice: PageChangeChoice, platforms: readonly PlatformName[] = platformNames): void {
    for (const platform of platforms) this.#chosen.set(platform, choice);
  }

  chosen(): Readonly<Record<PlatformName, PageChangeChoice>> {
    const entries = platformNames.map((platform) => [platform, this.#chosen.get(platform) ?? 'none'] as const);
    return Object.fromEntries(entries) as Record<PlatformName, PageChangeChoice>;
  }

  /** The change of a room's page: its own choice, else the one of its platform; null: none. */
  of(options: {
    readonly platform: PlatformName;
    readonly pageChange?: PageChangeChoice | undefined;
  }): PageChange | null {
    const { platform, pageChange = this.#chosen.get(platform) ?? 'none' } = options;
    return pageChange === 'none' ? null : pageChangePresets[pageChange].changes[platform];
  }
}

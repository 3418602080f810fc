import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { openScene } from './record-scene.ts';
import type { RecordedScene, ScenePage, SceneSetup } from './record-scene.ts';

/** What scenes need of a real browser. */
interface BrowserOf<OwnPage, Options> {
  newPage(options?: Options): Promise<OwnPage>;
  close(): Promise<unknown>;
}

export interface SceneBrowser<OwnPage, Options> {
  /** That of the scene which was opened last. */
  readonly page: OwnPage;
  open(setup: SceneSetup, options?: Options): Promise<RecordedScene>;
}

/** A real browser for the tests of one file, with a page of its own for each; both are closed after them. */
export function sceneBrowser<OwnPage extends ScenePage & { close(): Promise<unknown> }, Options>(
  launch: () => Promise<BrowserOf<OwnPage, Options>>,
): SceneBrowser<OwnPage, Options> {
  let browser: BrowserOf<OwnPage, Options>;
  let page: OwnPage | null = null;
  let scene: RecordedScene | null = null;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await page?.close();
    await scene?.close();
    page = null;
    scene = null;
  });
  return {
    get page() {
      if (page === null) throw new Error('No scene is open.');
      return page;
    },
    open: async (setup, options) => {
      page = await browser.newPage(options);
      scene = await openScene(page, setup);
      return scene;
    },
  };
}

import { loadPageScript } from '@rapporteur/page-scripts';

/** The function of the page that takes batches. */
export const bindingName = 'rapporteurTakeBatch';

/** The text that installs the capture in a page. */
export function captureScript(): string {
  const workerSource = loadPageScript(new URL('./capture-worker.page.ts', import.meta.url));
  return loadPageScript(new URL('./capture.page.ts', import.meta.url), {
    bindingName,
    workerSource,
  });
}

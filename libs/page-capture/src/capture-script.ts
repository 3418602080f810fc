import { loadPageScript } from '@rapporteur/page-scripts';

/** The function of the page that takes batches. */
export const bindingName = 'rapporteurTakeBatch';

/** The text that installs the capture in a page. @param keepsEncoded frames may be wanted before they are decoded */
export function captureScript(keepsEncoded: boolean): string {
  const workerSource = loadPageScript(new URL('./capture-worker.page.ts', import.meta.url));
  return loadPageScript(new URL('./capture.page.ts', import.meta.url), {
    bindingName,
    workerSource,
    keepsEncoded,
  });
}

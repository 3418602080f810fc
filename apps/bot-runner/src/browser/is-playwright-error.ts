/**
 * True for an error that Playwright threw while it read a message of the browser, outside of any call: for example about
 * an object of a page that was closed meanwhile. It concerns that message only; the loss of a page is detected elsewhere.
 */
export function isPlaywrightError(error: unknown): boolean {
  const { stack } = (error ?? {}) as { readonly stack?: unknown };
  const lines = typeof stack === 'string' ? stack.split('\n') : [];
  const firstFrame = lines.find((line) => line.trimStart().startsWith('at '));
  return firstFrame !== undefined && /[/\\]playwright-core[/\\]/.test(firstFrame);
}

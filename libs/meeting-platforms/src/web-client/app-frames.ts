import type { CDPSession, Page } from 'playwright-core';

/** Address schemes that a web page shows in a frame; those of apps are excluded. */
const framePolicy = "frame-src http: https: data: blob: about: 'self'";
const largestPage = 4 * 1024 * 1024;

/** The part of the browser's message about a held response that is read here. */
interface HeldResponse {
  readonly requestId: string;
  readonly responseStatusCode?: number | undefined;
  readonly responseErrorReason?: string | undefined;
  readonly responseHeaders?: { readonly name: string; readonly value: string }[] | undefined;
}

/**
 * Keeps frames in a page's markup from calling an app (`<iframe src="msteams:…">`): Chromium would show a prompt over
 * the page and drop every press meanwhile. Such a page gets a policy that allows frames of the web only. A browser
 * without this protocol continues without it.
 */
export async function refuseAppFrames(page: Page, appSchemes: readonly string[]): Promise<void> {
  const session = await page
    .context()
    .newCDPSession(page)
    .catch(() => null);
  if (session === null) return;
  const callsApp = new RegExp(`["'](${appSchemes.join('|')}):`, 'i');
  session.on('Fetch.requestPaused', (held) => {
    // A closed page needs no response.
    void pass(session, held, callsApp).catch(() => undefined);
  });
  const patterns = [{ urlPattern: '*', resourceType: 'Document' as const, requestStage: 'Response' as const }];
  await session.send('Fetch.enable', { patterns }).catch(() => undefined);
}

async function pass(session: CDPSession, held: HeldResponse, callsApp: RegExp): Promise<void> {
  const { requestId, responseStatusCode: status = 0, responseHeaders = [] } = held;
  const page = status >= 200 && status < 300 ? await bodyOf(session, requestId) : null;
  if (page === null || page.length > largestPage || !callsApp.test(page.toString('utf8'))) {
    await session.send('Fetch.continueRequest', { requestId });
    return;
  }
  const kept = responseHeaders.filter(({ name }) => !/^content-(length|encoding)$/i.test(name));
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: [...kept, { name: 'content-security-policy', value: framePolicy }],
    body: page.toString('base64'),
  });
}

async function bodyOf(session: CDPSession, requestId: string): Promise<Buffer | null> {
  try {
    const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId });
    return Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
  } catch {
    return null;
  }
}

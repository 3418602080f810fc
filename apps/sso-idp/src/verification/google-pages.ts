import { OutboundFailure } from '@rapporteur/outbound-http';
import { Failure } from '@rapporteur/failures';
import type { OutboundResponse, OutboundHttp } from '@rapporteur/outbound-http';

export interface GooglePagesOptions {
  readonly http: Pick<OutboundHttp, 'request'>;
  /**
   * Replaces every host of Google in a deployment with a simulator: the host becomes the first part of the path. Only
   * for domains that are reserved for examples (RFC 2606), so never for a real Workspace. Null: Google.
   */
  readonly simulatedGoogleUrl: string | null;
}

/** Where a sign-in of the domain redirects before a user is known. */
export type SignInStart =
  | { readonly kind: 'redirected'; readonly url: URL }
  | { readonly kind: 'unreachable'; readonly message: string };

export type TestLogin = { readonly outcome: 'accepted' | 'rejected' | 'unknown'; readonly message: string };

/** Google's pages for a sign-in of the domain, in a browser without cookies. */
export interface GooglePages {
  startSignIn(domain: string, signInUrl: string): Promise<SignInStart>;
  /** @param domain the domain of the sign-in */
  postResponse(domain: string, acsUrl: string, form: Readonly<Record<string, string>>): Promise<TestLogin>;
  /** HTTP status of one of this service's own addresses, or null when it is unreachable. */
  statusOf(url: string): Promise<number | null>;
}

const timeoutMs = 8_000;
const maxResponseBytes = 262_144;
const mostRedirects = 6;
const reservedDomain = /(^|\.)(example|example\.(com|net|org)|test)$/i;
const acceptedNext = /^https:\/\/accounts\.google\.com\/(?:speedbump\/|CheckCookie)/;
const sessionCookie = /^(SID|HSID|SSID|APISID|SAPISID|__Secure-1PSID|__Secure-3PSID)=[^;]/;

export function createGooglePages({ http, simulatedGoogleUrl }: GooglePagesOptions): GooglePages {
  const addressOf = (url: string, domain: string | null): string => {
    const { protocol, host, pathname, search } = new URL(url);
    const isSimulated = simulatedGoogleUrl !== null && domain !== null && reservedDomain.test(domain);
    const real = !isSimulated || protocol !== 'https:' || !/(^|\.)google\.com$/.test(host);
    return real ? url : `${simulatedGoogleUrl}/${host}${pathname}${search}`;
  };
  const send = async (
    url: string,
    domain: string | null,
    form: Readonly<Record<string, string>> | null = null,
  ): Promise<OutboundResponse | null> => {
    const body = form === null ? null : Buffer.from(new URLSearchParams(form).toString());
    const type = body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    try {
      return await http.request({
        url: addressOf(url, domain),
        method: body === null ? 'GET' : 'POST',
        headers: { accept: 'text/html', ...type },
        ...(body === null ? {} : { body }),
        timeoutMs,
        maxResponseBytes,
        whenTooLarge: 'cut',
      });
    } catch (error) {
      if (error instanceof OutboundFailure || error instanceof Failure) return null;
      throw error;
    }
  };
  return {
    startSignIn: async (domain, signInUrl) => {
      let url = `https://mail.google.com/a/${domain}`;
      for (let redirects = 0; redirects < mostRedirects; redirects += 1) {
        const response = await send(url, domain);
        if (response === null) return { kind: 'unreachable', message: `${new URL(url).host} did not respond.` };
        const location = response.headers.location;
        if (location === undefined || !URL.canParse(location, url)) return { kind: 'redirected', url: new URL(url) };
        url = new URL(location, url).href;
        if (url === signInUrl || url.startsWith(`${signInUrl}?`)) return { kind: 'redirected', url: new URL(url) };
      }
      return { kind: 'redirected', url: new URL(url) };
    },
    postResponse: async (domain, acsUrl, form) => {
      const response = await send(acsUrl, domain, form);
      if (response === null) return { outcome: 'unknown', message: `${new URL(acsUrl).host} did not respond.` };
      if ((response.headers['set-cookie'] ?? []).some((cookie) => sessionCookie.test(cookie))) {
        return { outcome: 'accepted', message: 'The test sign-in was accepted.' };
      }
      // Google continues with a confirmation or a check of cookies, which a browser passes.
      if (response.status < 400 && acceptedNext.test(response.headers.location ?? ''))
        return { outcome: 'accepted', message: 'The test sign-in was accepted.' };
      const rejected = response.status >= 400;
      const message = `The service provider responded with HTTP status ${response.status} and started no session.`;
      return { outcome: rejected ? 'rejected' : 'unknown', message };
    },
    statusOf: async (url) => (await send(url, null))?.status ?? null,
  };
}

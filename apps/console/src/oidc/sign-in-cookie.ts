import type { CookieOptions, Request, Response } from 'express';
import { z } from 'zod';
import type { SecretBox } from '@rapporteur/secret-box';
import type { SignInRequest } from './identity-provider.ts';

/** Time limit of a sign-in. */
const lifetimeMs = 600_000;
const place = { teamId: 'console', recordId: 'sign-in', field: 'cookie' };
const longestValue = 2_000;
const sealed = z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string(), until: z.number() });

/**
 * State of a sign-in in the browser, between the redirect to the provider and the callback; sealed, valid for ten
 * minutes.
 */
export interface SignInCookie {
  set(response: Response, request: SignInRequest): void;
  /** Null without one, with one of another deployment, and after its expiry. */
  take(request: Request, response: Response): SignInRequest | null;
}

export function createSignInCookie(options: {
  readonly box: SecretBox;
  readonly now: () => number;
  readonly secure: boolean;
}): SignInCookie {
  const { box, now, secure } = options;
  const name = secure ? '__Host-rapporteur_sign_in' : 'rapporteur_sign_in';
  // Lax: the provider redirects the browser here from another site.
  const cookie: CookieOptions = { httpOnly: true, sameSite: 'lax', secure, path: secure ? '/' : '/console/oidc' };
  return {
    set: (response, request) => {
      const text = JSON.stringify({ ...request, until: now() + lifetimeMs });
      response.cookie(name, box.seal(text, place).toString('base64url'), { ...cookie, maxAge: lifetimeMs });
    },
    take: (request, response) => {
      response.clearCookie(name, cookie);
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
      const [value = '', second] = pairs.filter(([key]) => key === name).map(([, text = '']) => text);
      if (value === '' || second !== undefined || value.length > longestValue) return null;
      try {
        const { until, ...kept } = sealed.parse(JSON.parse(box.open(Buffer.from(value, 'base64url'), place)));
        return until > now() ? kept : null;
      } catch {
        return null;
      }
    },
  };
}

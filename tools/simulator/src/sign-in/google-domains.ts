import { randomBytes } from 'node:crypto';
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import * as z from 'zod';

/** A Google Workspace domain with an SSO profile, as an administrator of it sets it up. */
export const googleDomainSchema = z.strictObject({
  domain: z.string().min(1).max(253),
  signInUrl: z.url(),
  /** PEM; the profile has two at most, for the rotation of a certificate. */
  certificates: z.array(z.string().min(1)).min(1).max(2),
  domainSpecificIssuer: z.boolean().default(true),
  /**
   * `confirms`: requires a confirmation after the sign-in. `stalls`: accepts the response and never starts a session.
   * `asks-more`: shows a page of another step after the user name.
   */
  behavior: z.enum(['signs-in', 'confirms', 'stalls', 'asks-more']).default('signs-in'),
  /** "Domain-specific service URLs": `profile` sends everybody to the SSO profile, `username` requests the user name first. */
  serviceUrls: z.enum(['profile', 'username']).default('profile'),
});
export type GoogleDomain = z.infer<typeof googleDomainSchema>;

export type AcsResponse =
  | { readonly accepted: true; readonly email: string; readonly session: string }
  | { readonly accepted: false; readonly sentence: string };

const requestLifetimeMs = 300_000;
const rejected =
  'This account cannot be accessed because the login credentials could not be verified. We are unable to process your request at this time, please try again later.';

/**
 * The service provider in front of Google's pages: sends users to the domain's identity provider and checks the
 * response.
 */
export class GoogleDomains {
  readonly #domains = new Map<string, { readonly domain: GoogleDomain; readonly saml: SAML }>();
  /** Session cookie to email. */
  readonly #sessions = new Map<string, string>();
  readonly log: { readonly domain: string; readonly accepted: boolean; readonly why: string | null }[] = [];

  set(domain: GoogleDomain): void {
    const { domain: name, signInUrl, certificates, domainSpecificIssuer } = domain;
    const known = this.#domains.get(name)?.saml.options.cacheProvider;
    const issuer = domainSpecificIssuer ? `google.com/a/${name}` : 'google.com';
    const saml = new SAML({
      callbackUrl: acsUrlOf(name),
      entryPoint: signInUrl,
      issuer,
      audience: issuer,
      idpCert: certificates,
      identifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
      disableRequestedAuthnContext: true,
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: true,
      validateInResponseTo: ValidateInResponseTo.always,
      requestIdExpirationPeriodMs: requestLifetimeMs,
      acceptedClockSkewMs: 0,
      ...(known === undefined ? {} : { cacheProvider: known }),
    });
    this.#domains.set(name, { domain, saml });
  }

  /** Redirect target of a browser without a session; null: there is no such domain. */
  async signInAddress(name: string, relayState: string): Promise<string | null> {
    const found = this.#domains.get(name);
    return found === undefined ? null : await found.saml.getAuthorizeUrlAsync(relayState, undefined, {});
  }

  async take(name: string, body: { readonly SAMLResponse?: unknown }): Promise<AcsResponse> {
    const found = this.#domains.get(name);
    const text = typeof body.SAMLResponse === 'string' ? body.SAMLResponse : '';
    if (found === undefined) return this.#note(name, 'no such domain');
    try {
      const { profile } = await found.saml.validatePostResponseAsync({ SAMLResponse: text });
      const email = profile?.nameID ?? '';
      const xml = Buffer.from(text, 'base64').toString();
      // node-saml accepts any Recipient and Destination.
      for (const attribute of ['Recipient', 'Destination'])
        if (!xml.includes(`${attribute}="${acsUrlOf(name)}"`)) return this.#note(name, `wrong ${attribute}`);
      if (!email.endsWith(`@${name}`)) return this.#note(name, 'a user of another domain');
      const session = randomBytes(16).toString('hex');
      this.#sessions.set(session, email);
      this.log.push({ domain: name, accepted: true, why: null });
      return { accepted: true, email, session };
    } catch (error) {
      return this.#note(name, (error as Error).message);
    }
  }

  behaviorOf(name: string): GoogleDomain['behavior'] {
    return this.#domains.get(name)?.domain.behavior ?? 'signs-in';
  }

  requestsName(name: string): boolean {
    return this.#domains.get(name)?.domain.serviceUrls === 'username';
  }

  /** The user of a session cookie; null: none. */
  userOf(session: string | undefined): string | null {
    return (session === undefined ? undefined : this.#sessions.get(session)) ?? null;
  }

  #note(domain: string, why: string): AcsResponse {
    this.log.push({ domain, accepted: false, why });
    return { accepted: false, sentence: rejected };
  }
}

function acsUrlOf(name: string): string {
  return `https://www.google.com/a/${name}/acs`;
}

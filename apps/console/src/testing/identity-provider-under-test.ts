import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export interface Account {
  readonly name: string;
  readonly email: string;
  groups: string[];
}

/** A certified provider in this process (oidc-provider) that signs in the user `signingIn` without a page. */
export interface IdentityProviderUnderTest {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accounts: Map<string, Account>;
  /** Subject of the next user who signs in. */
  signingIn: string;
  /** Set to change the ID token that the token endpoint responds with. */
  alterToken: ((token: string) => string | Promise<string>) | null;
  /** The same token with other claims, signed with the provider's key. */
  signAgain(token: string, claims: object): Promise<string>;
  /** While true, every response is a 503. */
  isAway: boolean;
  stop(): Promise<void>;
}

export async function startIdentityProvider(consoleUrl: string): Promise<IdentityProviderUnderTest> {
  const keys = await generateKeyPair('RS256', { extractable: true });
  const kid = 'the key of the test';
  const jwk = { ...(await exportJWK(keys.privateKey)), kid, alg: 'RS256', use: 'sig' };
  let handle: ReturnType<Provider['callback']> = () => Promise.resolve();
  const server = createServer((request, response) => {
    if (idp.isAway) return void response.writeHead(503).end();
    if (request.url?.startsWith('/interaction/') === true) {
      const login = { accountId: idp.signingIn };
      return void provider.interactionFinished(request, response, { login });
    }
    const { alterToken } = idp;
    if (request.url === '/token' && alterToken !== null) {
      const end = response.end.bind(response);
      response.end = ((text: string | Buffer) => {
        const body = JSON.parse(String(text)) as { readonly id_token: string };
        void Promise.resolve(alterToken(body.id_token)).then((token) => {
          const altered = JSON.stringify({ ...body, id_token: token });
          response.setHeader('content-length', Buffer.byteLength(altered));
          end(altered);
        });
      }) as never;
    }
    void handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const idp: IdentityProviderUnderTest = {
    url,
    clientId: 'console',
    clientSecret: 'a-secret-of-the-console',
    accounts: new Map(),
    signingIn: '',
    alterToken: null,
    signAgain: (token, claims) =>
      new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader({ alg: 'RS256', kid }).sign(keys.privateKey),
    isAway: false,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new Provider(url, { ...configurationOf(idp, consoleUrl), jwks: { keys: [jwk] } });
  handle = provider.callback();
  return idp;
}

interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: Provider;
  };
}

function configurationOf(idp: IdentityProviderUnderTest, consoleUrl: string): object {
  return {
    clients: [
      {
        client_id: idp.clientId,
        client_secret: idp.clientSecret,
        redirect_uris: [`${consoleUrl}/console/oidc/callback`],
        post_logout_redirect_uris: [`${consoleUrl}/console`],
        backchannel_logout_uri: `${consoleUrl}/console/oidc/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email'] },
    findAccount: (_context: unknown, id: string) => {
      const account = idp.accounts.get(id);
      return account && { accountId: id, claims: () => ({ sub: id, ...account }) };
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: { body: string }, form: string) => void (context.body = form),
        postLogoutSuccessSource: (context: { body: string }) => void (context.body = 'signed out'),
      },
    },
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    // Consent is always granted: it is not under test.
    loadExistingGrant: async ({ oidc: { client, session, provider } }: GrantContext) => {
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 3_600, Grant: 3_600, IdToken: 3_600, Interaction: 600, Session: 3_600 },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
    // All addresses of this provider are on this machine.
    fetch: (input: string | URL, options: RequestInit & { readonly dispatcher?: unknown }) => {
      const { dispatcher: _dispatcher, ...rest } = options;
      return fetch(input, rest);
    },
  };
}

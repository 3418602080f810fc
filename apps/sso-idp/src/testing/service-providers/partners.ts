import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { SAML } from '@node-saml/node-saml';
import * as samlify from 'samlify';

/** A response posted to a service provider, with the configuration of that provider. */
export interface PostedResponse {
  readonly xml: string;
  /** PEM. */
  readonly certificate: string;
  readonly acsUrl: string;
  readonly audience: string;
  readonly issuer: string;
  readonly requestId: string;
}

/** The name of the user who is signed in, or why the response is refused. */
export type PartnerReply = { readonly name: string } | { readonly error: string };

/** Another implementation of SAML. */
export interface Partner {
  readonly name: string;
  accept(response: PostedResponse): Promise<PartnerReply>;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const setupMs = 600_000;
const python3Saml = ['python3-saml==1.16.0', 'xmlsec==1.3.17', 'lxml==6.1.3'];

/** All four. Builds those of Python and Go once, in the cache folder of the user; they need python3 and go. */
export async function startPartners(): Promise<Partner[]> {
  return [
    inProcess('@node-saml/node-saml', nodeSaml),
    inProcess('samlify', samlifyReads),
    startProgram('python3-saml', await providePython()),
    startProgram('crewjam/saml', await provideGo()),
  ];
}

function inProcess(name: string, read: (response: PostedResponse) => Promise<string>): Partner {
  return {
    name,
    accept: (response) =>
      read(response).then(
        (user) => ({ name: user }),
        (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
      ),
    stop: () => Promise.resolve(),
  };
}

const entryPoint = 'https://api.example.test/v2/meet-sso/sign-in';

async function nodeSaml({ xml, certificate, acsUrl, audience, issuer }: PostedResponse): Promise<string> {
  const saml = new SAML({
    callbackUrl: acsUrl,
    entryPoint,
    issuer: audience,
    audience,
    idpCert: certificate,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    idpIssuer: issuer,
  });
  const SAMLResponse = Buffer.from(xml).toString('base64');
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
  if (profile === null) throw new Error('no profile');
  return profile.nameID;
}

samlify.setSchemaValidator({ validate: () => Promise.resolve('not checked') });

async function samlifyReads({ xml, certificate, acsUrl, audience, issuer }: PostedResponse): Promise<string> {
  const provider = samlify.ServiceProvider({
    entityID: audience,
    wantAssertionsSigned: true,
    wantMessageSigned: true,
    assertionConsumerService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', Location: acsUrl }],
  });
  const redirect = { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: entryPoint };
  const identityProvider = samlify.IdentityProvider({
    entityID: issuer,
    signingCert: certificate,
    wantAuthnRequestsSigned: false,
    singleSignOnService: [redirect],
    singleLogoutService: [redirect],
  });
  const body = { SAMLResponse: Buffer.from(xml).toString('base64') };
  const { extract } = await provider.parseLoginResponse(identityProvider, 'post', { body });
  return String((extract as { nameID: unknown }).nameID);
}

async function providePython(): Promise<readonly [string, ...string[]]> {
  const folder = cached(`python3-saml-${shortHash(python3Saml.join())}`);
  const python = join(folder, 'bin/python');
  if (!existsSync(join(folder, 'ready'))) {
    await run('python3', ['-m', 'venv', folder], { timeout: setupMs });
    await run(python, ['-m', 'pip', 'install', '--quiet', ...python3Saml], { timeout: setupMs });
    await copyFile(join(folder, 'pyvenv.cfg'), join(folder, 'ready'));
  }
  return [python, join(import.meta.dirname, 'python3_saml.py')];
}

async function provideGo(): Promise<readonly [string, ...string[]]> {
  const sources = join(import.meta.dirname, 'crewjam');
  const content = ['main.go', 'go.mod', 'go.sum'].map((name) => readFileSync(join(sources, name), 'utf8'));
  const folder = cached(`crewjam-saml-${shortHash(content.join())}`);
  const program = join(folder, 'service-provider');
  if (!existsSync(program)) {
    await mkdir(folder, { recursive: true });
    await run('go', ['build', '-o', program, '.'], { cwd: sources, timeout: setupMs });
  }
  return [program];
}

function cached(name: string): string {
  const configured = process.env['XDG_CACHE_HOME'] ?? '';
  return join(configured === '' ? join(homedir(), '.cache') : configured, 'rapporteur', 'saml', name);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** A program that responds to each line with a line, in order. */
function startProgram(name: string, [file, ...parameters]: readonly [string, ...string[]]): Partner {
  const child = spawn(file, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const waiting: { resolve(reply: PartnerReply): void; reject(error: Error): void }[] = [];
  let hasEnded = false;
  createInterface({ input: child.stdout }).on('line', (line) =>
    waiting.shift()?.resolve(JSON.parse(line) as PartnerReply),
  );
  // Not a refusal: the response was not checked.
  void exited.then(() => {
    hasEnded = true;
    for (const { reject } of waiting.splice(0)) reject(new Error(`${name} has ended.`));
  });
  return {
    name,
    accept: (response) =>
      new Promise((resolve, reject) => {
        if (hasEnded) {
          reject(new Error(`${name} has ended.`));
          return;
        }
        waiting.push({ resolve, reject });
        child.stdin.write(`${JSON.stringify(response)}\n`);
      }),
    stop: async () => {
      child.stdin.end();
      child.kill('SIGTERM');
      await exited;
    },
  };
}

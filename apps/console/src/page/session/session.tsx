import type { ReactNode } from 'react';
import { useSearch } from 'wouter';
import { basePath, sentenceOf } from '../api/client.ts';
import { Field } from '../elements/form.tsx';
import { Notice } from '../elements/page.tsx';
import { useSession, useSignIn } from './use-session.tsx';

/** Shows the console with a session, and the sign-in without one. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  if (session.isPending) return <p className="centered">Loading…</p>;
  if (session.data === undefined) {
    return (
      <main className="sign-in">
        <Notice kind="fail" title="The console does not respond">
          {sentenceOf(session.error)}
        </Notice>
        <button type="button" onClick={() => void session.refetch()}>
          Try again
        </button>
      </main>
    );
  }
  return session.data.signed_in ? children : <SignIn providerName={session.data.provider_name ?? null} />;
}

const problems: Readonly<Record<string, string>> = {
  'no-team': 'You have no team here. The log of the console names the groups that the identity provider sent.',
  late: 'The sign-in took too long, or it began in another window. Sign in again.',
  unconfirmable: 'The identity provider is not set up as the console needs it. The log of the console says how.',
  unavailable: 'The identity provider does not respond. Try again.',
};

function SignIn({ providerName }: { readonly providerName: string | null }) {
  const problem = new URLSearchParams(useSearch()).get('sign_in_problem');
  return (
    <main className="sign-in">
      <h1>Rapporteur</h1>
      {problem !== null && (
        <Notice kind="fail" title="Not signed in">
          {problems[problem] ?? 'The response of the identity provider was not accepted. Sign in again.'}
        </Notice>
      )}
      {providerName === null ? (
        <>
          <p>Sign in with an API key of your team.</p>
          <KeyForm />
        </>
      ) : (
        <>
          <a className="button primary" href={`${basePath}/oidc/start`}>
            Sign in with {providerName}
          </a>
          <details>
            <summary>Sign in with an API key</summary>
            <KeyForm />
          </details>
        </>
      )}
    </main>
  );
}

function KeyForm() {
  const signIn = useSignIn();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const apiKey = new FormData(event.currentTarget).get('api_key');
        if (typeof apiKey === 'string') signIn.mutate(apiKey.trim());
      }}
    >
      <Field label="API key">
        <input
          name="api_key"
          type="password"
          required
          autoComplete="off"
          spellCheck={false}
          placeholder="rap_…"
          aria-describedby="key-hint"
        />
      </Field>
      <p className="hint" id="key-hint">
        <code>npm start</code> prints a key on its first start; your operator creates more with{' '}
        <code>npm run rapporteur -- keys create</code>. The key stays on the server, encrypted; no script can read it.
      </p>
      {signIn.isError && (
        <Notice kind="fail" title="Not signed in">
          {sentenceOf(signIn.error)}
        </Notice>
      )}
      <button type="submit" className="primary" disabled={signIn.isPending}>
        {signIn.isPending ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  );
}

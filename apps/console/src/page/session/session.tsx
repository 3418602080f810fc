import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callSession, sentenceOf } from '../api/client.ts';
import type { SessionState } from '../api/client.ts';
import { Field } from '../elements/field.tsx';
import { Notice } from '../elements/notice.tsx';

const sessionKey = ['session'];

export function useSession() {
  return useQuery({ queryKey: sessionKey, queryFn: () => callSession('GET'), staleTime: 60_000 });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callSession('DELETE'),
    onSuccess: (state) => {
      // The gate removes the console first, so that nothing requests what is then removed from the cache.
      client.setQueryData<SessionState>(sessionKey, state);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    },
  });
}

/** Shows the console to whoever is signed in, and the sign-in to everybody else. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  if (session.isPending) return <p className="centered">Loading…</p>;
  if (session.isError) {
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
  return session.data.signed_in ? children : <SignIn />;
}

function SignIn() {
  const client = useQueryClient();
  const signIn = useMutation({
    mutationFn: (apiKey: string) => callSession('POST', { api_key: apiKey }),
    onSuccess: (state) => client.setQueryData<SessionState>(sessionKey, state),
  });
  return (
    <main className="sign-in">
      <h1>Rapporteur</h1>
      <p>Sign in with an API key of your team.</p>
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
          <code>npm run rapporteur -- keys create</code>. The key is kept in an encrypted cookie that no script can
          read.
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
    </main>
  );
}

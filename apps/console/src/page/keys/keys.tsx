import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Page } from '../elements/page.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { Time } from '../elements/time.tsx';
import { CreateKey } from './create-key.tsx';
import { keyState } from './key-state.ts';

type Key = Awaited<ReturnType<typeof api.listApiKeys>>[number];

export const permissionNames = { full: 'Full access', sending: 'Sends bots only' } as const;

/** The team's API keys with their permission, creation and expiry. */
export function Keys() {
  const keys = useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => api.listApiKeys({}, { signal }) });
  return (
    <Page title="API keys">
      <QueryResult query={keys}>
        {(list) => {
          const now = Date.now();
          const ended = list.filter((key) => keyState(key, now) !== 'active');
          const active = list.filter((key) => keyState(key, now) === 'active');
          return (
            <>
              {active.length === 0 ? (
                <EmptyState title="No key is active">Create one below.</EmptyState>
              ) : (
                <KeyTable keys={active} label="Active keys" />
              )}
              {ended.length > 0 && (
                <details className="ended">
                  <summary>Revoked and expired keys ({ended.length})</summary>
                  <KeyTable keys={ended} label="Revoked and expired keys" />
                </details>
              )}
            </>
          );
        }}
      </QueryResult>
      <CreateKey />
    </Page>
  );
}

function KeyTable({ keys, label }: { readonly keys: readonly Key[]; readonly label: string }) {
  return (
    <div className="table">
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Permission</th>
            <th scope="col" className="wide">
              Created
            </th>
            <th scope="col" className="wide">
              Last used
            </th>
            <th scope="col" className="wide">
              Expires
            </th>
            <th scope="col">
              <span className="visually-hidden">State and actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.key_id} value={key} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KeyRow({ value: key }: { readonly value: Key }) {
  const state = keyState(key, Date.now());
  return (
    <tr>
      <th scope="row">
        {key.name}
        <span className="hint block">
          <code>{key.key_start}…</code>
          {key.current && ' You are signed in with this key.'}
        </span>
      </th>
      <td>{permissionNames[key.permission]}</td>
      <td className="wide">
        <Time at={key.created_at} />
      </td>
      <td className="wide">
        <Time at={key.last_used_at} />
      </td>
      <td className="wide">
        <Time at={key.expires_at} />
      </td>
      <td>{state === 'active' ? <Revoke value={key} /> : <State state={state} />}</td>
    </tr>
  );
}

function Revoke({ value: key }: { readonly value: Key }) {
  return (
    <Action
      role="admin"
      label="Revoke"
      about={key.name}
      kind="danger"
      confirm={{
        title: `Revoke the key “${key.name}”?`,
        text: key.current
          ? 'You are signed in with this key: your session ends. Programs that use it are refused at once, for good.'
          : 'Programs that use it are refused at once, for good.',
        button: 'Revoke the key',
      }}
      act={async () => {
        await api.revokeApiKey({ key_id: key.key_id });
        return 'The key is revoked.';
      }}
    />
  );
}

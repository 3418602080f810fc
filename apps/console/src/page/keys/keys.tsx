import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Fragment } from 'react';
import { api, sentenceOf } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Page } from '../elements/page.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { Field, textOf } from '../elements/field.tsx';
import { Notice } from '../elements/notice.tsx';

type Key = Awaited<ReturnType<typeof api.listApiKeys>>[number];

const permissionNames = { full: 'Full access', sending: 'Sends bots only' } as const;

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
    <Table
      label={label}
      head={[
        'Name',
        'Permission',
        ['Created', 'wide'],
        ['Last used', 'wide'],
        ['Expires', 'wide'],
        ['State and actions', 'unseen'],
      ]}
      rows={keys.map((key) => [
        <Fragment key={key.key_id}>
          {key.name}
          <span className="hint block">
            <code>{key.key_start}…</code>
            {key.current && ' You are signed in with this key.'}
          </span>
        </Fragment>,
        permissionNames[key.permission],
        <Time at={key.created_at} />,
        <Time at={key.last_used_at} />,
        <Time at={key.expires_at} />,
        <KeyState value={key} />,
      ])}
    />
  );
}

function KeyState({ value: key }: { readonly value: Key }) {
  const state = keyState(key, Date.now());
  return state === 'active' ? <Revoke value={key} /> : <State state={state} />;
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

/** Creates a key, and shows its text once. */
function CreateKey() {
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (form: FormData) => {
      const day = textOf(form, 'expires');
      return api.createApiKey({
        body: {
          name: textOf(form, 'name'),
          permission: textOf(form, 'permission') === 'sending' ? 'sending' : 'full',
          expires_at: day === '' ? null : new Date(`${day}T00:00:00`).toISOString(),
        },
      });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  return (
    <section className="card">
      <h2>Create a key</h2>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          create.mutate(new FormData(form), { onSuccess: () => form.reset() });
        }}
      >
        <Field label="Name" hint="The program that uses it.">
          <input name="name" required maxLength={50} placeholder="Website" />
        </Field>
        <Field label="Permission">
          <select name="permission">
            <option value="full">Full access</option>
            <option value="sending">Sends bots only</option>
          </select>
        </Field>
        <Field label="Expires on" hint="Left empty: never.">
          <input name="expires" type="date" />
        </Field>
        {create.isError && (
          <Notice kind="fail" title="The key was not created">
            {sentenceOf(create.error)}
          </Notice>
        )}
        {create.isSuccess && (
          <Notice kind="pass" title="The key is created. Copy it now: it is not shown again.">
            <code className="breaks">{create.data.api_key}</code>
          </Notice>
        )}
        <div className="buttons">
          <button type="submit" className="primary" disabled={create.isPending}>
            Create the key
          </button>
        </div>
      </form>
    </section>
  );
}

type KeyState = 'active' | 'expired' | 'revoked';

interface Ends {
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
}

export function keyState({ revoked_at: revoked, expires_at: expires }: Ends, now: number): KeyState {
  if (revoked !== null) return 'revoked';
  return expires !== null && Date.parse(expires) <= now ? 'expired' : 'active';
}

import type { LoginPlatform } from '@rapporteur/contracts/platforms';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { api } from '../api/client.ts';
import { ActionForm, Action } from '../elements/action.tsx';
import { Field, textOf } from '../elements/field.tsx';
import { Reference, Page } from '../elements/page.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { ZoomCredentials } from './zoom-credentials.tsx';

type Login = Awaited<ReturnType<typeof api.listMeetLogins>>[number];
type Utilization = Awaited<ReturnType<typeof api.getMeetLoginUtilization>>;

const liveMs = 10_000;

/** Stored logins with which bots sign in, their utilization, and the verification of a workspace. */
export function Logins() {
  return (
    <Page title="Logins">
      <MeetWorkspaces />
      <LoginPool
        title="Google Meet logins"
        platform="meet"
        list={(signal) => api.listMeetLogins({}, { signal })}
        utilization={(signal) => api.getMeetLoginUtilization({}, { signal })}
      />
      <LoginPool
        title="Microsoft Teams logins"
        platform="teams"
        list={(signal) => api.listTeamsLogins({}, { signal })}
        utilization={(signal) => api.getTeamsLoginUtilization({}, { signal })}
      />
      <ZoomCredentials />
    </Page>
  );
}

function useMeetWorkspaces() {
  return useQuery({
    queryKey: ['meet-workspaces'],
    queryFn: ({ signal }) => api.listMeetWorkspaces({}, { signal }),
  });
}

/** Workspaces of possible logins. */
function useWorkspaces(platform: LoginPlatform) {
  return useQuery({
    queryKey: ['workspaces', platform],
    queryFn: async ({ signal }): Promise<readonly { workspace_id: string; domain: string }[]> =>
      platform === 'meet' ? api.listMeetWorkspaces({}, { signal }) : api.listTeamsWorkspaces({}, { signal }),
  });
}

function MeetWorkspaces() {
  const workspaces = useMeetWorkspaces();
  return (
    <section className="card">
      <h2>Google Workspace domains</h2>
      <QueryResult query={workspaces}>
        {(list) =>
          list.length === 0 ? (
            <p>No domain is registered.</p>
          ) : (
            <ul className="meetings">
              {list.map((workspace) => (
                <li key={workspace.workspace_id}>
                  <div className="message-head">
                    <strong>{workspace.domain}</strong>
                    <State state={workspace.state} />
                    <Action
                      role="admin"
                      label="Verify"
                      about={workspace.domain}
                      act={async () => {
                        const { ok } = await api.verifyMeetWorkspace({
                          workspace_id: workspace.workspace_id,
                          body: null,
                        });
                        return ok ? 'Everything is in order.' : 'Not everything is in order: see the list.';
                      }}
                    />
                    <DeleteWorkspace workspace={workspace} />
                  </div>
                  {workspace.last_error_message !== null && <p className="hint">{workspace.last_error_message}</p>}
                  {workspace.verification !== null && (
                    <ul className="checks">
                      {workspace.verification.checks.map(({ name, status, message }) => (
                        <li key={name}>
                          <State state={status} /> {name.replaceAll('_', ' ')}
                          {message !== null && <span className="hint block">{message}</span>}
                        </li>
                      ))}
                    </ul>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
      <AddMeetWorkspace />
    </section>
  );
}

interface PoolProps {
  readonly title: string;
  readonly platform: LoginPlatform;
  readonly list: (signal: AbortSignal) => Promise<readonly Login[]>;
  readonly utilization: (signal: AbortSignal) => Promise<Utilization>;
}

function LoginPool({ title, platform, list, utilization }: PoolProps) {
  const workspaces = useWorkspaces(platform);
  const logins = useQuery({
    queryKey: ['logins', title],
    queryFn: ({ signal }) => list(signal),
    refetchInterval: liveMs,
  });
  const use = useQuery({
    queryKey: ['utilization', title],
    queryFn: ({ signal }) => utilization(signal),
    refetchInterval: liveMs,
  });
  return (
    <section className="card">
      <h2>{title}</h2>
      <QueryResult query={logins}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="No logins yet">
              Meetings that admit signed-in participants only need one. See <Reference to="logins">the guide</Reference>
              .
            </EmptyState>
          ) : (
            <>
              {use.data !== undefined && <Utilized use={use.data} title={title} />}
              <LoginTable title={title} logins={rows} platform={platform} />
            </>
          )
        }
      </QueryResult>
      {platform === 'teams' && <AddTeamsWorkspace />}
      <AddLogin platform={platform} workspaces={workspaces.data ?? []} />
    </section>
  );
}

function Utilized({ use, title }: { readonly use: Utilization; readonly title: string }) {
  return (
    <p>
      <meter
        min={0}
        max={Math.max(1, use.concurrent_capacity)}
        value={use.concurrent_sessions}
        aria-label={`Use of ${title}`}
      />{' '}
      {use.concurrent_sessions} of {use.concurrent_capacity} sessions in use; {use.logins_active} active{' '}
      {use.logins_active === 1 ? 'login' : 'logins'}
      {use.logins_invalid > 0 && `, ${use.logins_invalid} invalid`}
    </p>
  );
}

interface LoginTableProps {
  readonly title: string;
  readonly logins: readonly Login[];
  readonly platform: LoginPlatform;
}

function LoginTable({ title, logins, platform }: LoginTableProps) {
  return (
    <Table
      label={title}
      head={['Login', 'State', 'Sessions', ['Group', 'wide'], ['Last used', 'wide'], ['Actions', 'unseen']]}
      rows={logins.map((login) => [
        <Fragment key={login.credential_id}>
          {login.email}
          {login.last_error_message !== null && <span className="hint block">{login.last_error_message}</span>}
        </Fragment>,
        <State state={login.state} />,
        login.active_session_count,
        login.email_group ?? '—',
        <Time at={login.last_used_at} />,
        <LoginActions login={login} platform={platform} />,
      ])}
    />
  );
}

/** Reactivates a login after its cause is corrected, and removes it. */
function LoginActions({ login, platform }: { readonly login: Login; readonly platform: LoginPlatform }) {
  const id = { credential_id: login.credential_id };
  return (
    <span className="buttons">
      {login.state === 'invalid' && (
        <Action
          role="admin"
          label="Activate"
          about={login.email}
          act={async () => {
            const change = { ...id, body: { state: 'active' as const } };
            await (platform === 'meet' ? api.updateMeetLogin(change) : api.updateTeamsLogin(change));
            return 'Bots use it again.';
          }}
        />
      )}
      <Action
        role="admin"
        label="Delete"
        about={login.email}
        kind="danger"
        confirm={{
          title: `Delete the login ${login.email}?`,
          text: 'Bots no longer sign in with it.',
          button: 'Delete the login',
        }}
        act={async () => {
          await (platform === 'meet' ? api.deleteMeetLogin(id) : api.deleteTeamsLogin(id));
          return 'The login is deleted.';
        }}
      />
    </span>
  );
}

interface Workspace {
  readonly workspace_id: string;
  readonly domain: string;
}

function DeleteWorkspace({ workspace }: { readonly workspace: Workspace }) {
  return (
    <Action
      role="admin"
      label="Delete"
      about={workspace.domain}
      kind="danger"
      confirm={{
        title: `Delete the domain ${workspace.domain}?`,
        text: 'Its logins and their secrets are deleted with it.',
        button: 'Delete the domain',
      }}
      act={async () => {
        await api.deleteMeetWorkspace({ workspace_id: workspace.workspace_id });
        return 'The domain is deleted.';
      }}
    />
  );
}

/**
 * Registers a Google Workspace domain with a key that the service creates, and shows what to enter in Google's Admin
 * console.
 */
function AddMeetWorkspace() {
  return (
    <ActionForm
      role="admin"
      title="Register a Google Workspace domain"
      button="Register it"
      act={async (form) => {
        const domain = textOf(form, 'domain');
        const made = await api.createMeetWorkspace({ body: { domain, generate_keypair: true } });
        return (
          <>
            <p>{domain} is registered. Enter this in the SSO profile of its Admin console, then press Verify:</p>
            <dl className="facts">
              <dt>IDP entity ID</dt>
              <dd className="breaks">{made.idp_entity_id}</dd>
              <dt>Sign-in page URL</dt>
              <dd className="breaks">{made.sign_in_url}</dd>
              <dt>Sign-out page URL</dt>
              <dd className="breaks">{made.sign_out_url}</dd>
              <dt>Certificate</dt>
              <dd>
                <pre tabIndex={0} aria-label={`Certificate of ${domain}`}>
                  {made.cert_pem}
                </pre>
              </dd>
            </dl>
          </>
        );
      }}
    >
      <Field label="Domain">
        <input name="domain" required maxLength={253} placeholder="bots.example.com" spellCheck={false} />
      </Field>
    </ActionForm>
  );
}

function AddTeamsWorkspace() {
  return (
    <ActionForm
      role="admin"
      title="Register a Microsoft 365 tenant"
      button="Register it"
      act={async (form) => {
        const { domain } = await api.createTeamsWorkspace({ body: { domain: textOf(form, 'domain') } });
        return `${domain} is registered.`;
      }}
    >
      <Field label="Primary domain">
        <input name="domain" required maxLength={253} placeholder="example.onmicrosoft.com" spellCheck={false} />
      </Field>
    </ActionForm>
  );
}

/** Adds an account with which bots sign in. Those of Teams have a password. */
function AddLogin({
  platform,
  workspaces,
}: {
  readonly platform: LoginPlatform;
  readonly workspaces: readonly Workspace[];
}) {
  if (workspaces.length === 0) return null;
  return (
    <ActionForm
      role="admin"
      title="Add a login"
      button="Add the login"
      act={async (form) => {
        const group = textOf(form, 'email_group');
        const body = {
          email: textOf(form, 'email'),
          name: textOf(form, 'name'),
          workspace_id: textOf(form, 'workspace_id'),
          ...(group === '' ? {} : { email_group: group }),
        };
        if (platform === 'meet') await api.createMeetLogin({ body });
        else await api.createTeamsLogin({ body: { ...body, password: textOf(form, 'password') } });
        return `${body.email} is added.`;
      }}
    >
      <Field label="Workspace">
        <select name="workspace_id">
          {workspaces.map(({ workspace_id: id, domain }) => (
            <option key={id} value={id}>
              {domain}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Email">
        <input name="email" type="email" required maxLength={254} autoComplete="off" />
      </Field>
      <Field label="Name" hint="As the meeting shows it.">
        <input name="name" required maxLength={255} />
      </Field>
      {platform === 'teams' && (
        <Field label="Password">
          <input name="password" type="password" required maxLength={1_024} autoComplete="off" />
        </Field>
      )}
      <Field label="Group" hint="Optional: an address that selects several logins.">
        <input name="email_group" type="email" maxLength={254} autoComplete="off" />
      </Field>
    </ActionForm>
  );
}

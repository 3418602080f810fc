import type { LoginPlatform } from '@rapporteur/contracts/platforms';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Reference } from '../elements/reference.tsx';
import { Page } from '../elements/page.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { DeleteWorkspace, LoginActions } from './login-actions.tsx';
import { AddLogin, AddMeetWorkspace, AddTeamsWorkspace } from './login-forms.tsx';
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

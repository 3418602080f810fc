import { useQuery } from '@tanstack/react-query';
import type { LoginPlatform } from '@rapporteur/contracts/platforms';
import { Fragment } from 'react';
import { api } from '../api/client.ts';
import { Deletion, Action } from '../elements/action.tsx';
import { Form } from '../elements/form.tsx';
import type { BodyOf, Fields } from '../elements/form.tsx';
import { Reference, List, Page } from '../elements/page.tsx';
import { State } from '../elements/status.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';

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
      <List
        query={workspaces}
        empty={['No domain is registered', 'Bots sign in to Google Meet with the logins of a registered domain.']}
      >
        {(list) => (
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
                  <Deletion
                    what="the domain"
                    name={workspace.domain}
                    text="Its logins and their secrets are deleted with it."
                    act={() => api.deleteMeetWorkspace({ workspace_id: workspace.workspace_id })}
                  />
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
        )}
      </List>
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
      <List
        query={logins}
        empty={[
          'No logins yet',
          <>
            Meetings that admit signed-in participants only need one. See <Reference to="logins">the guide</Reference>.
          </>,
        ]}
      >
        {(rows) => (
          <>
            {use.data !== undefined && <Utilized use={use.data} title={title} />}
            <LoginTable title={title} logins={rows} platform={platform} />
          </>
        )}
      </List>
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
      <Deletion
        what="the login"
        name={login.email}
        text="Bots no longer sign in with it."
        act={() => (platform === 'meet' ? api.deleteMeetLogin(id) : api.deleteTeamsLogin(id))}
      />
    </span>
  );
}

interface Workspace {
  readonly workspace_id: string;
  readonly domain: string;
}

/**
 * Registers a Google Workspace domain with a key that the service creates, and shows what to enter in Google's Admin
 * console.
 */
function AddMeetWorkspace() {
  return (
    <Form
      role="admin"
      title="Register a Google Workspace domain"
      button="Register it"
      fields={[{ name: 'domain', label: 'Domain', placeholder: 'bots.example.com' }]}
      send={async ({ domain }: Pick<BodyOf<'createMeetWorkspace'>, 'domain'>) => {
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
    />
  );
}

function AddTeamsWorkspace() {
  return (
    <Form
      role="admin"
      title="Register a Microsoft 365 tenant"
      button="Register it"
      fields={[{ name: 'domain', label: 'Primary domain', placeholder: 'example.onmicrosoft.com' }]}
      send={async (body: BodyOf<'createTeamsWorkspace'>) =>
        `${(await api.createTeamsWorkspace({ body })).domain} is registered.`
      }
    />
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
  const fields: Fields<'createTeamsLogin'> = [
    {
      name: 'workspace_id',
      label: 'Workspace',
      options: workspaces.map(({ workspace_id: id, domain }) => [id, domain]),
    },
    { name: 'email', label: 'Email', type: 'email' },
    { name: 'name', label: 'Name', hint: 'As the meeting shows it.' },
    { name: 'password', label: 'Password', type: 'secret' },
    {
      name: 'email_group',
      label: 'Group',
      type: 'email',
      hint: 'Optional: an address that selects several logins.',
      empty: 'absent',
    },
  ];
  return (
    <Form
      role="admin"
      title="Add a login"
      button="Add the login"
      fields={fields.filter(({ name }) => platform === 'teams' || name !== 'password')}
      send={async (body: BodyOf<'createTeamsLogin'>) => {
        await (platform === 'meet' ? api.createMeetLogin({ body }) : api.createTeamsLogin({ body }));
        return `${body.email} is added.`;
      }}
    />
  );
}

type Credential = Awaited<ReturnType<typeof api.listZoomCredentials>>['data'][number];

/** Stored apps and authorisations with which bots join Zoom meetings. */
export function ZoomCredentials() {
  const credentials = useQuery({
    queryKey: ['zoom-credentials'],
    queryFn: async ({ signal }) => (await api.listZoomCredentials({ limit: 100 }, { signal })).data,
  });
  return (
    <section className="card">
      <h2>Zoom credentials</h2>
      <List
        query={credentials}
        empty={[
          'No credentials yet',
          <>
            Bots of a Zoom app, and bots on behalf of a user, need one. See <Reference to="zoom">the guide</Reference>.
          </>,
        ]}
      >
        {(list) => (
          <ul className="meetings">
            {list.map((credential) => (
              <CredentialItem key={credential.credential_id} credential={credential} />
            ))}
          </ul>
        )}
      </List>
      <AddCredential />
    </section>
  );
}

function CredentialItem({ credential }: { readonly credential: Credential }) {
  const { name, zoom_email: email, zoom_display_name: user } = credential;
  return (
    <li>
      <div className="message-head">
        <strong className="breaks">{name}</strong>
        <State state={credential.state} />
        <span>
          {credential.credential_type === 'app'
            ? 'meetings of its own account'
            : `on behalf of ${user ?? email ?? 'a user'}`}
        </span>
        <Deletion
          what="the credential"
          name={name}
          text="Bots that name it are refused from now on."
          act={() => api.deleteZoomCredential({ credential_id: credential.credential_id })}
        />
      </div>
      {credential.last_error_message !== null && <p className="hint">{credential.last_error_message}</p>}
    </li>
  );
}

const fields: Fields<'createZoomCredential'> = [
  { name: 'name', label: 'Name' },
  { name: 'client_id', label: 'Client id of the app' },
  { name: 'client_secret', label: 'Client secret', type: 'secret' },
  {
    name: 'authorization_code',
    label: 'Authorization code',
    hint: "Of the user for whom bots join. Left empty: bots join meetings of the app's own account.",
    empty: 'absent',
  },
  { name: 'redirect_uri', label: 'Redirect address of the code', type: 'url', empty: 'absent' },
];

function AddCredential() {
  return (
    <Form
      role="admin"
      title="Store a Zoom credential"
      button="Store it"
      fields={fields}
      send={async (body: BodyOf<'createZoomCredential'>) =>
        `The credential “${(await api.createZoomCredential({ body })).name}” is stored.`
      }
    />
  );
}

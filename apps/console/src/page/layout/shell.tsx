import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { Role, SessionState } from '../api/client.ts';
import { Page, EmptyState } from '../elements/page.tsx';
import { For, useMay, useChooseTeam, useSession, useSignOut } from '../session/use-session.tsx';

interface SectionOf {
  readonly path: string;
  readonly label: string;
  /** The lowest role that has it. */
  readonly role: Role;
  /** In the menu of settings. */
  readonly isSetting?: boolean;
}

const sections: readonly SectionOf[] = [
  { path: '/', label: 'Bots', role: 'viewer' },
  { path: '/search', label: 'Search', role: 'viewer' },
  { path: '/send', label: 'Send a bot', role: 'member' },
  { path: '/scheduled', label: 'Scheduled', role: 'viewer' },
  { path: '/calendars', label: 'Calendars', role: 'viewer' },
  { path: '/usage', label: 'Usage', role: 'viewer' },
  { path: '/fleet', label: 'Fleet', role: 'operator' },
  { path: '/logins', label: 'Logins', role: 'viewer', isSetting: true },
  { path: '/webhooks', label: 'Webhooks', role: 'viewer', isSetting: true },
  { path: '/storage', label: 'Storage', role: 'viewer', isSetting: true },
  { path: '/keys', label: 'API keys', role: 'admin', isSetting: true },
  { path: '/audit-log', label: 'Audit log', role: 'admin', isSetting: true },
];

const isBelow = (location: string, path: string): boolean =>
  location === path || location.startsWith(path === '/' ? '/bots/' : `${path}/`);

/** Navigation around every page. A page that the role does not have states so in place of its content. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const signOut = useSignOut();
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [location]);
  const current = sections.find(({ path }) => isBelow(location, path));
  const isAllowed = useMay(current?.role ?? 'viewer');
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the page
      </a>
      <header className={isOpen ? 'bar open' : 'bar'}>
        <span className="brand">Rapporteur</span>
        <button type="button" className="menu-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Menu
        </button>
        <nav aria-label="Sections">
          <ul>
            <Sections sections={sections.filter(({ isSetting }) => isSetting !== true)} />
            <li>
              <details key={location} className="settings">
                <summary aria-current={current?.isSetting === true ? 'true' : undefined}>Settings</summary>
                <ul>
                  <Sections sections={sections.filter(({ isSetting }) => isSetting)} />
                </ul>
              </details>
            </li>
          </ul>
        </nav>
        <div className="account">
          <a href="/docs">Docs</a>
          {session.data !== undefined && <Who session={session.data} />}
          <button type="button" onClick={() => signOut.mutate()}>
            Sign out
          </button>
        </div>
      </header>
      {isAllowed || current === undefined ? (
        children
      ) : (
        <Page title={current.label}>
          <EmptyState title="Your role does not have this page">
            It needs the role {current.role} or a higher one. An admin of your team can change your role.
          </EmptyState>
        </Page>
      )}
    </div>
  );
}

function Sections({ sections: shown }: { readonly sections: readonly SectionOf[] }) {
  return shown.map(({ path, label, role }) => (
    <For key={path} role={role}>
      <li>
        <Section path={path} label={label} />
      </li>
    </For>
  ));
}

/** The key or the user that is signed in, and the team of a user with several. */
function Who({ session }: { readonly session: SessionState }) {
  const choose = useChooseTeam();
  const { key_start: key, user, role, team_id: teamId, teams = [] } = session;
  if (user === undefined) {
    return (
      <span className="hint">
        Key <code>{key}…</code>
      </span>
    );
  }
  const [team] = teams.filter(({ team_id: id }) => id === teamId);
  return (
    <>
      <span className="breaks">
        {user}, {role}
        {teams.length === 1 && ` of ${team?.team_name}`}
      </span>
      {teams.length > 1 && (
        <select
          aria-label="Team"
          value={teamId}
          disabled={choose.isPending}
          onChange={(event) => choose.mutate(event.target.value)}
        >
          {teams.map(({ team_id: id, team_name: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

function Section({ path, label }: { readonly path: string; readonly label: string }) {
  const [location] = useLocation();
  return (
    <Link href={path} aria-current={location === path ? 'page' : isBelow(location, path) ? 'true' : undefined}>
      {label}
    </Link>
  );
}

import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import type { Role, SessionState } from '../api/client.ts';
import { For } from '../session/role.tsx';
import { useChooseTeam, useSession, useSignOut } from '../session/use-session.ts';

const sections: readonly (readonly [path: string, label: string, role?: Role])[] = [
  ['/', 'Bots'],
  ['/search', 'Search'],
  ['/send', 'Send a bot', 'member'],
  ['/scheduled', 'Scheduled'],
  ['/calendars', 'Calendars'],
  ['/logins', 'Logins'],
  ['/webhooks', 'Webhooks'],
  ['/usage', 'Usage'],
  ['/storage', 'Storage'],
  ['/keys', 'API keys', 'admin'],
  ['/audit-log', 'Audit log', 'admin'],
  ['/fleet', 'Fleet', 'operator'],
];

/** Navigation around every page. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const signOut = useSignOut();
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the page
      </a>
      <header className="bar">
        <span className="brand">Rapporteur</span>
        <nav aria-label="Sections">
          <ul>
            {sections.map(([path, label, role = 'viewer']) => (
              <For key={path} role={role}>
                <li>
                  <Section path={path} label={label} />
                </li>
              </For>
            ))}
          </ul>
        </nav>
        <div className="account">
          <a href="/docs">Documentation</a>
          {session.data !== undefined && <Who session={session.data} />}
          <button type="button" onClick={() => signOut.mutate()}>
            Sign out
          </button>
        </div>
      </header>
      {children}
    </div>
  );
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
  const [isHere] = useRoute(path);
  const [isBelow] = useRoute(path === '/' ? '/bots/*?' : `${path}/*?`);
  return (
    <Link href={path} aria-current={isHere ? 'page' : isBelow ? 'true' : undefined}>
      {label}
    </Link>
  );
}

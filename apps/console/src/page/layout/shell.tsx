import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import { useSession, useSignOut } from '../session/session.tsx';

const sections = [
  ['/', 'Bots'],
  ['/send', 'Send a bot'],
  ['/scheduled', 'Scheduled'],
  ['/calendars', 'Calendars'],
  ['/logins', 'Logins'],
  ['/webhooks', 'Webhooks'],
  ['/usage', 'Usage'],
  ['/storage', 'Storage'],
  ['/keys', 'API keys'],
  ['/audit-log', 'Audit log'],
] as const;

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
            {sections.map(([path, label]) => (
              <li key={path}>
                <Section path={path} label={label} />
              </li>
            ))}
          </ul>
        </nav>
        <div className="account">
          <a href="/docs">API docs</a>
          <span className="hint">
            Key <code>{session.data?.key_start}…</code>
          </span>
          <button type="button" onClick={() => signOut.mutate()}>
            Sign out
          </button>
        </div>
      </header>
      {children}
    </div>
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

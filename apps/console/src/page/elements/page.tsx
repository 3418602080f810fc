import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';

interface PageProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

let isFirst = true;

/** A page: after a navigation its heading gets the focus, so that a screen reader starts there. */
export function Page({ title, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Rapporteur`;
  }, [title]);
  useEffect(() => {
    // After a load the keyboard begins at the top, with the link that skips the menu.
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  return (
    <main id="content">
      <div className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions !== undefined && <div className="buttons">{actions}</div>}
      </div>
      {children}
    </main>
  );
}

const guides = {
  webhooks: 'webhooks',
  storage: 'own-storage',
  calendars: 'calendars',
  logins: 'signed-in-bots',
  zoom: 'zoom-credentials',
} as const;

/** A link to the guide about a form. */
export function Reference({ to, children }: { readonly to: keyof typeof guides; readonly children: ReactNode }) {
  return <a href={`/docs/guides/${guides[to]}`}>{children}</a>;
}

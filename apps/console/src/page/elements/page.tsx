import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page: its heading gets the focus, so that a screen reader starts there. */
export function Page({ title, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Rapporteur`;
  }, [title]);
  useEffect(() => heading.current?.focus(), []);
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

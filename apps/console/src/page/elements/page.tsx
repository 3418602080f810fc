import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { sentenceOf } from '../api/client.ts';

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

export type NoticeKind = 'fail' | 'pass' | 'warn' | 'info';

/** A message about a result. Announced by screen readers; failures at once. */
export function Notice({ kind, title, children }: { kind: NoticeKind; title?: string; children?: ReactNode }) {
  return (
    <div className={`notice ${kind}`} role={kind === 'fail' ? 'alert' : 'status'}>
      {title !== undefined && <strong>{title}</strong>}
      {children !== undefined && <div>{children}</div>}
    </div>
  );
}

/** Loading, failure with a retry, or the data. */
export function QueryResult<T>({
  query,
  children,
}: {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    return (
      <Notice kind="fail" title="This could not be loaded">
        {sentenceOf(query.error)}{' '}
        <button type="button" onClick={() => void query.refetch()}>
          Try again
        </button>
      </Notice>
    );
  }
  return (
    <p className="loading" role="status">
      Loading…
    </p>
  );
}

/** States that a list is empty, and what to do next. */
export function EmptyState({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <div>{children}</div>
    </div>
  );
}

interface ListProps<T> {
  readonly query: UseQueryResult<readonly T[]>;
  /** Title and text of the empty list. */
  readonly empty: readonly [title: string, text: ReactNode];
  readonly children: (list: readonly T[]) => ReactNode;
}

/** A list that is loading, failed, empty, or there. */
export function List<T>({ query, empty: [title, text], children }: ListProps<T>) {
  return (
    <QueryResult query={query}>
      {(list) => (list.length === 0 ? <EmptyState title={title}>{text}</EmptyState> : children(list))}
    </QueryResult>
  );
}

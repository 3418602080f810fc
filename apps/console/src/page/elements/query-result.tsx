import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sentenceOf } from '../api/client.ts';
import { Notice } from './notice.tsx';

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

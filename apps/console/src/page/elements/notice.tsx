import type { ReactNode } from 'react';

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

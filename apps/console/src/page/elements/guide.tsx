import type { ReactNode } from 'react';

/** A link to a page of the documentation, which the address of the API serves. */
export function Guide({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return <a href={`/docs/guides/${name}`}>{children}</a>;
}

import type { ReactNode } from 'react';

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

import type { ReactNode } from 'react';

const places = {
  webhooks: 'Webhooks/createWebhookEndpoint',
  storage: 'Storage/putStorageConfig',
  calendars: 'Calendars/createCalendar',
  logins: 'Meet%20logins/createMeetLogin',
  zoom: 'Zoom%20credentials/createZoomCredential',
} as const;

/** A link to the section of the API documentation about a form. */
export function Reference({ to, children }: { readonly to: keyof typeof places; readonly children: ReactNode }) {
  return <a href={`/docs#/${places[to]}`}>{children}</a>;
}

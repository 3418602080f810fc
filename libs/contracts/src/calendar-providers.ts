/** The facts of a calendar provider outside its adapter in `apps/calendar-sync/src/providers`. */
export interface CalendarProviderDescriptor {
  /** Name in messages. */
  readonly name: string;
  /** Name of its calendars for customers. */
  readonly title: string;
}

export const calendarProviders = {
  google: { name: 'Google', title: 'Google Calendar' },
  microsoft: { name: 'Microsoft', title: 'Microsoft 365' },
} as const satisfies Readonly<Record<string, CalendarProviderDescriptor>>;

export type CalendarProviderName = keyof typeof calendarProviders;
export const calendarProviderNames = Object.keys(calendarProviders) as [
  CalendarProviderName,
  ...CalendarProviderName[],
];

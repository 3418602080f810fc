const zoned = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;
const dateTime = new Intl.DateTimeFormat(undefined, zoned);
const dateClock = new Intl.DateTimeFormat(undefined, { ...zoned, second: '2-digit' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** The browser's time zone, for example `Europe/Vienna`. */
export const timeZone: string = dateTime.resolvedOptions().timeZone;

export function timeText(at: string): string {
  return dateTime.format(new Date(at));
}

interface TimeProps {
  readonly at: string | null | undefined;
  readonly seconds?: boolean;
  /** Without the day: of something that happens now. */
  readonly clockOnly?: boolean;
}

/** A moment in the user's time zone, which is named; a dash for none. */
export function Time({ at, seconds = false, clockOnly = false }: TimeProps) {
  if (at === null || at === undefined) return <>—</>;
  return (
    <time dateTime={at} title={`${at}, shown in ${timeZone}`}>
      {(clockOnly ? clock : seconds ? dateClock : dateTime).format(new Date(at))}
    </time>
  );
}

/** An instant in the form of an input of type datetime-local: in the browser's time zone, to the minute. */
export function localInput(at: string): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

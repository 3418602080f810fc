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

/** `1:02:03` or `2:03`. */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, '0'));
  const hours = Math.floor(whole / 3_600);
  return hours > 0 ? `${hours}:${parts.join(':')}` : `${Math.floor(whole / 60)}:${parts[1]}`;
}

/** `1 h 2 min`, `2 min 3 s` or `3 s`; a dash for none. */
export function durationOf(seconds: number | null): string {
  if (seconds === null) return '—';
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

/** `12 kB`, `3.4 GB`; decimal units, as the API counts bytes. */
export function bytesOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${value >= 10 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

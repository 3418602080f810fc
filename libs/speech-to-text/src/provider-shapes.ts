import { z } from 'zod';

const longestMs = 86_400_000;

/** Some servers write numbers as text. */
const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,12}(?:\.\d{1,12})?$/)
    .transform(Number),
]);

/** Seconds of a provider, as whole milliseconds. */
export const seconds = number
  .pipe(
    z
      .number()
      .min(0)
      .max(longestMs / 1_000),
  )
  .transform((value) => Math.round(value * 1_000));
/** Milliseconds of a provider. */
export const milliseconds = number.pipe(z.number().min(0).max(longestMs)).transform(Math.round);

/** A fact that the transcript can do without: null where it is missing or unreadable. */
export function orNull<T extends z.ZodType>(shape: T) {
  return z
    .unknown()
    .optional()
    .transform((value): z.output<T> | null => {
      const read = shape.safeParse(value);
      return read.success ? read.data : null;
    });
}

/** A confidence that is missing or outside of 0 to 1 is none. */
export const confidence = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'number' && value >= 0 && value <= 1 ? value : null));

/** Becomes a part of addresses, which cannot contain a lone surrogate. */
export const identifier = z
  .union([z.string(), z.int().transform(String)])
  .pipe(z.string().min(1).max(500))
  .refine((id) => id.isWellFormed());
export const text = z.string().max(1_000_000);
/** The number or the name of a speaker. */
export const speakerLabel = orNull(z.union([z.string().min(1).max(200), z.number().transform(String)]));
export const languageCode = orNull(z.string().min(1).max(50));

const list = z
  .array(z.unknown())
  .nullish()
  .transform((given) => given ?? []);

/** A list without its unreadable elements, which do not affect the others. Providers write an empty one as null, too. */
export function readableOf<T extends z.ZodType>(element: T) {
  return list.transform((given) =>
    given.flatMap((one): z.output<T>[] => {
      const read = element.safeParse(one);
      return read.success ? [read.data] : [];
    }),
  );
}

/** The same, but refused when all of its elements are unreadable: then the document has another form. */
export function mostlyReadableOf<T extends z.ZodType>(element: T) {
  return list.transform((given, context) => {
    const read = readableOf(element).parse(given);
    if (given.length > 0 && read.length === 0)
      context.addIssue({ code: 'custom', message: 'none of its elements can be read' });
    return read;
  });
}

/** A document that has at least one of these members: another one is of an unknown form. */
export function documentWith<T extends z.ZodRawShape>(members: readonly (keyof T & string)[], shape: T) {
  return z
    .record(z.string(), z.unknown())
    .refine((given) => members.some((member) => member in given), { path: [members.join(' or ')] })
    .pipe(z.object(shape));
}

export interface Timed {
  readonly start: number;
  readonly end: number;
  /** True: a time is an estimate. */
  readonly interpolated?: true;
}

/**
 * Words or segments in order, with their `start` and `end`. What was said is kept when its time is missing, unreadable
 * or reversed: it begins where its neighbour ended, and is marked as an estimate. Refused when no element can be read.
 */
export function timedOf<T extends z.ZodRawShape>(shape: T, time: typeof seconds) {
  const element = z.object({ ...shape, start: orNull(time), end: orNull(time) });
  return mostlyReadableOf(element).transform((read): (z.output<z.ZodObject<T>> & Timed)[] => {
    let last = 0;
    return read.map((one) => {
      const given = one as { start: number | null; end: number | null };
      const start = given.start ?? last;
      const isMeasured = given.start !== null && given.end !== null && given.end >= given.start;
      last = Math.max(start, given.end ?? start);
      return { ...(one as z.output<z.ZodObject<T>>), start, end: last, ...(isMeasured ? {} : { interpolated: true }) };
    });
  });
}

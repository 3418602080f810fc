import { z } from 'zod';

const longestMs = 86_400_000;

/** Seconds of a provider, as whole milliseconds. */
export const seconds = z
  .number()
  .min(0)
  .max(longestMs / 1_000)
  .transform((value) => Math.round(value * 1_000));
/** Milliseconds of a provider. */
export const milliseconds = z.number().min(0).max(longestMs).transform(Math.round);

/** A confidence that is missing or outside of 0 to 1 is none. */
export const confidence = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'number' && value >= 0 && value <= 1 ? value : null));

/** Becomes a part of addresses, which cannot contain a lone surrogate. */
export const identifier = z
  .string()
  .min(1)
  .max(500)
  .refine((id) => id.isWellFormed());
export const text = z.string().max(1_000_000);
/** The number or the name of a speaker. */
export const speakerLabel = z
  .union([z.string().max(200), z.number().int()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? null : String(value)));
export const languageCode = z
  .string()
  .max(50)
  .nullish()
  .transform((value) => (value === undefined || value === '' ? null : value));

/** True when no list of times runs backwards within one entry. */
export function endsAfterStart(span: { readonly start: number; readonly end: number }): boolean {
  return span.end >= span.start;
}

/** A list without its unreadable elements, which do not affect the others. */
export function readableOf<T extends z.ZodType>(element: T) {
  return z.array(z.unknown()).transform((list) =>
    list.flatMap((one): z.output<T>[] => {
      const read = element.safeParse(one);
      return read.success ? [read.data] : [];
    }),
  );
}

/** The same, but refused when all of its elements are unreadable: then the document has another form. */
export function mostlyReadableOf<T extends z.ZodType>(element: T) {
  return z.array(z.unknown()).transform((list, context) => {
    const read = readableOf(element).parse(list);
    if (list.length > 0 && read.length === 0)
      context.addIssue({ code: 'custom', message: 'none of its elements can be read' });
    return read;
  });
}

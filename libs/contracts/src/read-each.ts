import { z } from 'zod';

/** An element of a list from outside that cannot be read. */
export interface UnreadableElement {
  readonly index: number;
  readonly element: unknown;
  /** Contains names of fields, never their values. */
  readonly reason: string;
}

const longestReason = 300;

/**
 * Reads each element of a list separately: an unreadable one does not affect the others.
 * @param readOne throws for an element that it cannot read
 * @param instead replaces such an element; null: it is left out
 */
export function readEach<T>(
  list: readonly unknown[],
  readOne: (element: unknown) => T,
  instead: (unreadable: UnreadableElement) => T | null = () => null,
): T[] {
  return list.flatMap((element, index) => {
    try {
      return [readOne(element)];
    } catch (error) {
      const replaced = instead({ index, element, reason: reasonOf(error) });
      return replaced === null ? [] : [replaced];
    }
  });
}

/** A list without the elements that cannot be read. */
export function readableOf<T extends z.ZodType>(element: T) {
  return z.array(z.unknown()).transform((list) => readEach(list, (one): z.output<T> => element.parse(one)));
}

/** The same, but refuses a list with elements of which none can be read: the list has another form. */
export function mostlyReadableOf<T extends z.ZodType>(element: T) {
  return z.array(z.unknown()).transform((list, context) => {
    let reason = '';
    const read = readEach(
      list,
      (one): z.output<T> => element.parse(one),
      (unreadable) => {
        reason = unreadable.reason;
        return null;
      },
    );
    if (list.length > 0 && read.length === 0) {
      context.addIssue({ code: 'custom', message: `none of its elements can be read: ${reason}` });
    }
    return read;
  });
}

/** Fields and their problems, without values. */
function reasonOf(error: unknown): string {
  const reason =
    error instanceof z.ZodError
      ? error.issues.map(({ path, message }) => `${path.join('.') || 'the element'}: ${message}`).join('; ')
      : error instanceof Error
        ? error.message
        : 'it cannot be read';
  return reason.slice(0, longestReason);
}

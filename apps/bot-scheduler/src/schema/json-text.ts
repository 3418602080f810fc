import { z } from 'zod';

const mostProblems = 5;

/** A setting whose value is JSON text of this schema; each problem names its field. */
export function jsonText<T>(schema: z.ZodType<T>): z.ZodType<T, string> {
  return z.string().transform((text, context): T => {
    const parsed = schema.safeParse(read(text));
    if (parsed.success) return parsed.data;
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'the JSON value'}: ${message}`,
    );
    for (const message of problems.slice(0, mostProblems)) context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

/** Undefined is no value of any such setting. */
function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Adds the filters of a list's query parameter `extra` (`field:value`, joined by commas) to conditions and their
 * parameters.
 */
export function extraConditions(
  extra: string | undefined,
  conditions: readonly string[],
  values: readonly unknown[],
): { readonly where: string; readonly parameters: readonly unknown[] } {
  const where = [...conditions];
  const parameters = [...values];
  for (const pair of extra?.split(',') ?? []) {
    const colon = pair.indexOf(':');
    parameters.push(pair.slice(0, colon), pair.slice(colon + 1));
    where.push(`extra->>$${parameters.length - 1}::text = $${parameters.length}::text`);
  }
  return { where: where.join(' and '), parameters };
}

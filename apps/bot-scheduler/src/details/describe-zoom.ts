const shown = ['credential_id', 'credential_user_id', 'obf_token_url', 'zak_token_url'] as const;

/** `alpha_config` of specification 2.2: every member, null where the bot was created without it; a direct token never. */
export function describeZoom(
  given: Readonly<Record<string, unknown>> | null | undefined,
): Record<(typeof shown)[number], unknown> | null {
  if (given === null || given === undefined) return null;
  const entries = shown.map((name) => [name, given[name] ?? null] as const);
  return Object.fromEntries(entries) as Record<(typeof shown)[number], unknown>;
}

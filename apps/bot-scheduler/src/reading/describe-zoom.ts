const shown = ['credential_id', 'credential_user_id', 'obf_token_url', 'zak_token_url'] as const;

/** `alpha_config` of specification 2.2: every member, null where it was not set; a direct token is never included. */
export function describeZoom(
  given: Readonly<Record<string, unknown>> | null | undefined,
): Record<(typeof shown)[number], unknown> | null {
  if (given === null || given === undefined) return null;
  const entries = shown.map((name) => [name, given[name] ?? null] as const);
  return Object.fromEntries(entries) as Record<(typeof shown)[number], unknown>;
}

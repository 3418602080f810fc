import { z } from 'zod';

/** The role of a user in a team. An operator is an admin of every team in the configuration. */
export const roles = ['viewer', 'member', 'admin', 'operator'] as const;
export type Role = (typeof roles)[number];

/** A team that a user may work in. */
export interface TeamAccess {
  readonly team_id: string;
  readonly team_name: string;
  readonly role: Role;
}

const entry = z.union([
  z.strictObject({
    value: z.string().min(1).max(500),
    team_id: z.uuid(),
    team_name: z.string().min(1).max(100),
    role: z.enum(['viewer', 'member', 'admin']),
  }),
  z.strictObject({ value: z.string().min(1).max(500), role: z.literal('operator') }),
]);

/** Maps values of the claim to teams and roles. */
export type AccessRules = readonly z.infer<typeof entry>[];

export function accessRules(): z.ZodType<AccessRules, string> {
  return z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue('must be JSON');
        return z.NEVER;
      }
    })
    .pipe(
      z
        .array(entry)
        .max(10_000)
        .refine((rules) => rules.some(({ role }) => role !== 'operator'), {
          error: 'must name a team: an operator works in the teams that the other entries name',
        }),
    ) as never;
}

const mostValues = 10_000;

/** A claim by its name, or by a path such as `realm_access.roles` (Keycloak's claim of roles). */
export function claimOf(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (claims[name] !== undefined) return claims[name];
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[part];
  }
  return found;
}

/** Why these values give no team, for the log. */
export function withoutTeam({ name, claims }: { name: string; claims: Readonly<Record<string, unknown>> }): string {
  const values = valuesOf(claimOf(claims, name));
  const listed = (texts: readonly string[]) => JSON.stringify(texts.slice(0, 20).map((text) => text.slice(0, 80)));
  return values.length === 0
    ? `neither user info nor ID token has the claim ${name}; they have ${listed(Object.keys(claims))}`
    : `no entry of RAPPORTEUR_OIDC_ACCESS has a value of the claim ${name}, which are ${listed(values)}`;
}

/** The values of a claim: a text, or a list of texts. Entries of other types are ignored. */
export function valuesOf(claim: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return list.slice(0, mostValues).filter((value) => typeof value === 'string');
}

/** The teams and roles of a user's claim values: the highest role of each team, in the order of the rules. */
export function accessOf(rules: AccessRules, values: readonly string[]): TeamAccess[] {
  const held = new Set(values);
  const isOperator = rules.some((rule) => rule.role === 'operator' && held.has(rule.value));
  const byTeam = new Map<string, TeamAccess>();
  for (const rule of rules) {
    if (rule.role === 'operator' || (!isOperator && !held.has(rule.value))) continue;
    const role = isOperator ? 'operator' : rule.role;
    const before = byTeam.get(rule.team_id);
    if (before !== undefined && roles.indexOf(before.role) >= roles.indexOf(role)) continue;
    byTeam.set(rule.team_id, { team_id: rule.team_id, team_name: rule.team_name, role });
  }
  return [...byTeam.values()];
}

interface AdminTeam {
  readonly team_id: string;
}

/** The key of the team that a first start creates; null when there are teams already. */
export async function ensureFirstTeam(admin: { url: string; token: string }): Promise<string | null> {
  const teams = (await call(admin, 'GET', '/admin/v1/teams')) as AdminTeam[];
  if (teams.length > 0) return null;
  const created = (await call(admin, 'POST', '/admin/v1/teams', {
    name: 'First team',
    plan: 'self_hosted',
    tokens: 3_600_000_000,
  })) as { api_key: string };
  return created.api_key;
}

async function call(
  admin: { url: string; token: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`${admin.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`The admin API answered ${response.status} to ${method} ${path}.`);
  return ((await response.json()) as { data: unknown }).data;
}

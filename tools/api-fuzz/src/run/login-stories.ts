import { sendRequest, dataOf, differs, statusIs } from './story-steps.ts';
import type { Story, StoryDependencies } from './story-steps.ts';

/** A domain with one account, from its creation to its deletion; no response contains the secret. */
interface LoginKind {
  readonly name: 'Meet' | 'Teams';
  readonly workspace: Readonly<Record<string, unknown>>;
  readonly login: Readonly<Record<string, unknown>>;
}

export function* meetLoginLife(parts: StoryDependencies): Story {
  yield* loginLife(parts, { name: 'Meet', workspace: { generate_keypair: true }, login: {} });
}

export function* teamsLoginLife(parts: StoryDependencies): Story {
  yield* loginLife(parts, { name: 'Teams', workspace: {}, login: { password: 'an unused password' } });
}

function* loginLife(parts: StoryDependencies, kind: LoginKind): Story {
  const { planner, random } = parts;
  const { name } = kind;
  const domain = `d${random.below(1e9)}.example`;
  const created = yield sendRequest(planner, `create${name}Workspace`, {
    value: { domain, ...kind.workspace },
    // Another worker may have taken the same domain.
    check: (response) => (response.status === 409 ? null : statusIs(201)(response)),
  });
  const workspaceId = dataOf(created)['workspace_id'];
  if (typeof workspaceId !== 'string') return;
  const path = { workspace_id: workspaceId };
  yield sendRequest(planner, `create${name}Workspace`, { value: { domain, ...kind.workspace }, check: statusIs(409) });
  yield sendRequest(planner, `update${name}Workspace`, { path, value: { name: 'renamed' }, check: statusIs(200) });
  yield sendRequest(planner, `get${name}Workspace`, {
    path,
    check: (response) =>
      statusIs(200)(response) ??
      differs('name', dataOf(response)['name'], 'renamed') ??
      (response.text.includes('PRIVATE KEY') ? 'the response holds the private key' : null),
  });
  if (name === 'Meet') yield sendRequest(planner, 'verifyMeetWorkspace', { path, check: statusIs(200) });
  yield* accountLife(parts, kind, { domain, workspaceId });
  yield sendRequest(planner, `delete${name}Workspace`, { path, check: statusIs(200) });
  yield sendRequest(planner, `get${name}Workspace`, { path, check: statusIs(404) });
}

function* accountLife(
  { planner }: StoryDependencies,
  { name, login }: LoginKind,
  { domain, workspaceId }: { readonly domain: string; readonly workspaceId: string },
): Story {
  const account = { name: 'fuzz', workspace_id: workspaceId, ...login };
  // A Microsoft tenant has accounts of several domains.
  const foreign = { ...account, email: 'bot@elsewhere.example' };
  if (name === 'Meet') yield sendRequest(planner, 'createMeetLogin', { value: foreign, check: statusIs(422) });
  const created = yield sendRequest(planner, `create${name}Login`, {
    value: { ...account, email: `bot@${domain}` },
    check: (response) =>
      statusIs(201)(response) ?? (response.text.includes('a password of') ? 'the response holds the password' : null),
  });
  const credentialId = dataOf(created)['credential_id'];
  if (typeof credentialId !== 'string') return;
  const path = { credential_id: credentialId };
  yield sendRequest(planner, `update${name}Login`, { path, value: { name: 'renamed' }, check: statusIs(200) });
  yield sendRequest(planner, `get${name}Login`, {
    path,
    check: (response) =>
      statusIs(200)(response) ??
      differs('name', dataOf(response)['name'], 'renamed') ??
      differs('state', dataOf(response)['state'], 'active'),
  });
  yield sendRequest(planner, `delete${name}Login`, { path, check: statusIs(200) });
  yield sendRequest(planner, `get${name}Login`, { path, check: statusIs(404) });
}

export function* calendarRuleLife({ planner, random }: StoryDependencies): Story {
  const created = yield sendRequest(planner, 'createCalendarRule', {
    value: { name: `rule ${random.below(1e9)}`, conditions: { only_accepted: true }, bot: { bot_name: 'By rule' } },
    check: statusIs(201),
  });
  const ruleId = dataOf(created)['rule_id'];
  if (typeof ruleId !== 'string') return;
  const path = { rule_id: ruleId };
  yield sendRequest(planner, 'updateCalendarRule', { path, value: { enabled: false }, check: statusIs(200) });
  yield sendRequest(planner, 'dryRunCalendarRule', {
    value: { conditions: { title_contains: 'weekly' } },
    check: statusIs(200),
  });
  yield sendRequest(planner, 'deleteCalendarRule', { path, check: statusIs(200) });
  yield sendRequest(planner, 'deleteCalendarRule', { path, check: statusIs(404) });
}

import { ask, dataOf, differs, statusIs } from './story-steps.ts';
import type { Story, StoryParts } from './story-steps.ts';

/** A domain with one account, from its creation to its deletion, and each answer without the secret. */
interface LoginKind {
  readonly name: 'Meet' | 'Teams';
  readonly workspace: Readonly<Record<string, unknown>>;
  readonly login: Readonly<Record<string, unknown>>;
}

export function* meetLoginLife(parts: StoryParts): Story {
  yield* loginLife(parts, { name: 'Meet', workspace: { generate_keypair: true }, login: {} });
}

export function* teamsLoginLife(parts: StoryParts): Story {
  yield* loginLife(parts, { name: 'Teams', workspace: {}, login: { password: 'a password of nobody' } });
}

function* loginLife(parts: StoryParts, kind: LoginKind): Story {
  const { planner, random } = parts;
  const { name } = kind;
  const domain = `d${random.below(1e9)}.example`;
  const created = yield ask(planner, `create${name}Workspace`, {
    value: { domain, ...kind.workspace },
    // Another walker may have taken the same domain.
    check: (answer) => (answer.status === 409 ? null : statusIs(201)(answer)),
  });
  const workspaceId = dataOf(created)['workspace_id'];
  if (typeof workspaceId !== 'string') return;
  const path = { workspace_id: workspaceId };
  yield ask(planner, `create${name}Workspace`, { value: { domain, ...kind.workspace }, check: statusIs(409) });
  yield ask(planner, `update${name}Workspace`, { path, value: { name: 'renamed' }, check: statusIs(200) });
  yield ask(planner, `get${name}Workspace`, {
    path,
    check: (answer) =>
      statusIs(200)(answer) ??
      differs('name', dataOf(answer)['name'], 'renamed') ??
      (answer.text.includes('PRIVATE KEY') ? 'the answer holds the private key' : null),
  });
  if (name === 'Meet') yield ask(planner, 'verifyMeetWorkspace', { path, check: statusIs(200) });
  yield* accountLife(parts, kind, { domain, workspaceId });
  yield ask(planner, `delete${name}Workspace`, { path, check: statusIs(200) });
  yield ask(planner, `get${name}Workspace`, { path, check: statusIs(404) });
}

function* accountLife(
  { planner }: StoryParts,
  { name, login }: LoginKind,
  { domain, workspaceId }: { readonly domain: string; readonly workspaceId: string },
): Story {
  const account = { name: 'fuzz', workspace_id: workspaceId, ...login };
  // A Microsoft tenant has accounts of several domains.
  const foreign = { ...account, email: 'bot@elsewhere.example' };
  if (name === 'Meet') yield ask(planner, 'createMeetLogin', { value: foreign, check: statusIs(422) });
  const created = yield ask(planner, `create${name}Login`, {
    value: { ...account, email: `bot@${domain}` },
    check: (answer) =>
      statusIs(201)(answer) ?? (answer.text.includes('a password of') ? 'the answer holds the password' : null),
  });
  const credentialId = dataOf(created)['credential_id'];
  if (typeof credentialId !== 'string') return;
  const path = { credential_id: credentialId };
  yield ask(planner, `update${name}Login`, { path, value: { name: 'renamed' }, check: statusIs(200) });
  yield ask(planner, `get${name}Login`, {
    path,
    check: (answer) =>
      statusIs(200)(answer) ??
      differs('name', dataOf(answer)['name'], 'renamed') ??
      differs('state', dataOf(answer)['state'], 'active'),
  });
  yield ask(planner, `delete${name}Login`, { path, check: statusIs(200) });
  yield ask(planner, `get${name}Login`, { path, check: statusIs(404) });
}

export function* calendarRuleLife({ planner, random }: StoryParts): Story {
  const created = yield ask(planner, 'createCalendarRule', {
    value: { name: `rule ${random.below(1e9)}`, conditions: { only_accepted: true }, bot: { bot_name: 'By rule' } },
    check: statusIs(201),
  });
  const ruleId = dataOf(created)['rule_id'];
  if (typeof ruleId !== 'string') return;
  const path = { rule_id: ruleId };
  yield ask(planner, 'updateCalendarRule', { path, value: { enabled: false }, check: statusIs(200) });
  yield ask(planner, 'dryRunCalendarRule', {
    value: { conditions: { title_contains: 'weekly' } },
    check: statusIs(200),
  });
  yield ask(planner, 'deleteCalendarRule', { path, check: statusIs(200) });
  yield ask(planner, 'deleteCalendarRule', { path, check: statusIs(404) });
}

import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { Action, Deletion } from '../elements/action.tsx';
import { Form } from '../elements/form.tsx';
import type { BodyOf } from '../elements/form.tsx';
import { List } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { platformNames } from '../elements/status-text.ts';

type Rule = Awaited<ReturnType<typeof api.listCalendarRules>>[number];

/** The rules by which meetings of calendars get bots. Their effect on each meeting is shown with the meeting. */
export function CalendarRules() {
  const rules = useQuery({
    queryKey: ['calendar-rules'],
    queryFn: ({ signal }) => api.listCalendarRules({}, { signal }),
  });
  return (
    <section className="card">
      <h2>Rules</h2>
      <List query={rules} empty={['No rule yet', 'Bots go only to meetings for which you send one.']}>
        {(list) => (
          <ul className="meetings">
            {list.map((rule) => (
              <RuleItem key={rule.rule_id} rule={rule} />
            ))}
          </ul>
        )}
      </List>
      <AddRule />
    </section>
  );
}

function RuleItem({ rule }: { readonly rule: Rule }) {
  const id = { rule_id: rule.rule_id };
  return (
    <li>
      <div className="message-head">
        <strong className="breaks">{rule.name}</strong>
        <State state={rule.enabled ? 'active' : 'by_request'} />
        <Action
          label={rule.enabled ? 'Disable' : 'Enable'}
          about={rule.name}
          act={async () => {
            await api.updateCalendarRule({ ...id, body: { enabled: !rule.enabled } });
            return rule.enabled ? 'It sends no bots now.' : 'It sends bots again.';
          }}
        />
        <Deletion
          role="member"
          what="the rule"
          name={rule.name}
          text="Bots that it scheduled and that have not started are cancelled."
          act={() => api.deleteCalendarRule(id)}
        />
      </div>
      <p className="hint">{conditionText(rule)}</p>
    </li>
  );
}

function conditionText({ conditions }: Rule): string {
  const {
    only_accepted: accepted,
    external_guests: guests,
    title_contains: title,
    organizer_email: organizer,
  } = conditions;
  const parts = [
    accepted === true ? 'the account accepted it' : null,
    guests === true ? 'a guest of another organization attends' : null,
    title == null ? null : `its title contains “${title}”`,
    organizer == null ? null : `${organizer} organizes it`,
    conditions.platforms == null
      ? null
      : `it is on ${conditions.platforms.map((name) => platformNames[name]).join(' or ')}`,
  ].filter((part) => part !== null);
  return parts.length === 0
    ? 'Every meeting gets a bot that is not private or declined.'
    : `A meeting gets a bot when ${parts.join(', and ')}.`;
}

const fields = [
  { name: 'name', label: 'Name' },
  { name: 'bot_name', label: 'Name of its bots', value: 'Rapporteur' },
  { name: 'title_contains', label: 'The title contains', hint: 'Left empty: any title.', empty: 'absent' },
  { name: 'only_accepted', label: 'Only meetings that the account accepted or organizes', type: 'check' },
  { name: 'external_guests', label: 'Only meetings with a guest of another organization', type: 'check' },
  { name: 'try', label: 'Only try it: say how many meetings would get a bot', type: 'check', value: true },
] as const;

interface NewRule extends NonNullable<BodyOf<'createCalendarRule'>['conditions']> {
  readonly name: string;
  readonly bot_name: string;
  readonly try: boolean;
}

function AddRule() {
  const send = async ({ name, bot_name, try: isTrial, ...conditions }: NewRule): Promise<string> => {
    if (isTrial) {
      const matches = await api.dryRunCalendarRule({ body: { conditions, preferred_platform: null } });
      const taken = matches.filter(({ would_get_bot: takes }) => takes).length;
      return `${taken} of ${matches.length} meetings of the next two weeks would get a bot. Nothing was saved.`;
    }
    await api.createCalendarRule({ body: { name, enabled: true, conditions, bot: { bot_name } } });
    return `The rule “${name}” is added.`;
  };
  return <Form title="Add a rule" button="Go on" fields={fields} send={send} keeps />;
}

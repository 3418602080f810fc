import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { Action, ActionForm } from '../elements/action.tsx';
import { Field, textOf } from '../elements/field.tsx';
import { QueryResult } from '../elements/query-result.tsx';
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
      <QueryResult query={rules}>
        {(list) =>
          list.length === 0 ? (
            <p>No rule yet: bots go only to meetings for which you send one.</p>
          ) : (
            <ul className="meetings">
              {list.map((rule) => (
                <RuleItem key={rule.rule_id} rule={rule} />
              ))}
            </ul>
          )
        }
      </QueryResult>
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
        <Action
          label="Delete"
          about={rule.name}
          kind="danger"
          confirm={{
            title: `Delete the rule “${rule.name}”?`,
            text: 'Bots that it scheduled and that have not started are cancelled.',
            button: 'Delete the rule',
          }}
          act={async () => {
            await api.deleteCalendarRule(id);
            return 'The rule is deleted.';
          }}
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

function AddRule() {
  const act = async (form: FormData): Promise<string> => {
    const title = textOf(form, 'title_contains');
    const conditions = {
      only_accepted: form.has('only_accepted'),
      external_guests: form.has('external_guests'),
      ...(title === '' ? {} : { title_contains: title }),
    };
    if (form.has('try')) {
      const matches = await api.dryRunCalendarRule({ body: { conditions, preferred_platform: null } });
      const taken = matches.filter(({ would_get_bot: takes }) => takes).length;
      return `${taken} of ${matches.length} meetings of the next two weeks would get a bot. Nothing was saved.`;
    }
    const name = textOf(form, 'name');
    await api.createCalendarRule({
      body: { name, enabled: true, conditions, bot: { bot_name: textOf(form, 'bot_name') } },
    });
    return `The rule “${name}” is added.`;
  };
  return (
    <ActionForm title="Add a rule" button="Go on" act={act} keeps>
      <Field label="Name">
        <input name="name" required maxLength={100} />
      </Field>
      <Field label="Name of its bots">
        <input name="bot_name" required maxLength={255} defaultValue="Rapporteur" />
      </Field>
      <Field label="The title contains" hint="Left empty: any title.">
        <input name="title_contains" maxLength={255} />
      </Field>
      <label>
        <input type="checkbox" name="only_accepted" /> Only meetings that the account accepted or organizes
      </label>
      <label>
        <input type="checkbox" name="external_guests" /> Only meetings with a guest of another organization
      </label>
      <label>
        <input type="checkbox" name="try" defaultChecked /> Only try it: say how many meetings would get a bot
      </label>
    </ActionForm>
  );
}

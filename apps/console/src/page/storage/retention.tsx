import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ActionForm } from '../elements/action-form.tsx';
import { Field, textOf } from '../elements/field.tsx';
import { QueryResult } from '../elements/query-result.tsx';

const dayText = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** How long the data of bots is kept; admins choose a shorter time than the plan's. */
export function Retention() {
  const settings = useQuery({
    queryKey: ['retention'],
    queryFn: ({ signal }) => api.getRetentionSettings({}, { signal }),
  });
  return (
    <section className="card">
      <h2>How long data is kept</h2>
      <QueryResult query={settings}>
        {({ days, maximum_days: maximum, effective_days: effective }) => (
          <>
            <p>
              The data of a bot is deleted {dayText(effective)} after it has left.{' '}
              {days === null ? 'That is what the plan allows.' : `The plan allows ${dayText(maximum)}.`}
            </p>
            <ActionForm title="Keep data for another time" button="Save" act={save} role="admin" keeps>
              <Field label="Days" hint={`At most ${maximum}. Left empty: as long as the plan allows.`}>
                <input name="days" type="number" min={1} max={maximum} step={1} defaultValue={days ?? ''} />
              </Field>
              <label>
                <input type="checkbox" required /> Data that is older is deleted within minutes, for good, also that of
                bots that have left already.
              </label>
            </ActionForm>
          </>
        )}
      </QueryResult>
    </section>
  );
}

async function save(form: FormData): Promise<string> {
  const days = textOf(form, 'days');
  const { effective_days: effective } = await api.setRetentionSettings({
    body: { days: days === '' ? null : Number(days) },
  });
  return `Data is kept for ${dayText(effective)} now.`;
}

import { calendarProviderNames, calendarProviders } from '@rapporteur/contracts/calendar-providers';
import type { CalendarProviderName } from '@rapporteur/contracts/calendar-providers';
import { api } from '../api/client.ts';
import { ActionForm } from '../elements/action-form.tsx';
import { Field, textOf } from '../elements/field.tsx';

/** Connects a calendar with the OAuth client and refresh token of the customer. */
export function ConnectCalendar() {
  const act = async (form: FormData): Promise<string> => {
    const tenant = textOf(form, 'oauth_tenant_id');
    const { account_email: email } = await api.createCalendar({
      body: {
        calendar_platform: textOf(form, 'calendar_platform') as CalendarProviderName,
        oauth_client_id: textOf(form, 'oauth_client_id'),
        oauth_client_secret: textOf(form, 'oauth_client_secret'),
        oauth_refresh_token: textOf(form, 'oauth_refresh_token'),
        raw_calendar_id: textOf(form, 'raw_calendar_id'),
        ...(tenant === '' ? {} : { oauth_tenant_id: tenant }),
      },
    });
    return `The calendar of ${email} is connected. Its meetings appear here in a moment.`;
  };
  const secret = (name: string, label: string) => (
    <Field label={label}>
      <input name={name} type="password" required maxLength={4_096} autoComplete="off" spellCheck={false} />
    </Field>
  );
  return (
    <ActionForm title="Connect a calendar with an OAuth app of your own" button="Connect it" act={act}>
      <Field label="Provider">
        <select name="calendar_platform">
          {calendarProviderNames.map((name) => (
            <option key={name} value={name}>
              {calendarProviders[name].title}
            </option>
          ))}
        </select>
      </Field>
      <Field label="OAuth client id" hint="Of your own OAuth app.">
        <input name="oauth_client_id" required maxLength={4_096} autoComplete="off" spellCheck={false} />
      </Field>
      {secret('oauth_client_secret', 'OAuth client secret')}
      {secret('oauth_refresh_token', 'Refresh token of the account')}
      <Field label="Directory (tenant) id" hint="Microsoft only. Left empty: common.">
        <input name="oauth_tenant_id" maxLength={255} autoComplete="off" spellCheck={false} />
      </Field>
      <Field label="Calendar" hint="primary is the main calendar of the account.">
        <input name="raw_calendar_id" required maxLength={1_024} defaultValue="primary" spellCheck={false} />
      </Field>
    </ActionForm>
  );
}

import { calendarProviders } from '@rapporteur/contracts/calendar-providers';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { api, sentenceOf } from '../api/client.ts';
import { textOf } from '../elements/form.tsx';
import { Notice } from '../elements/page.tsx';
import { For } from '../session/use-session.tsx';

type Provider = Awaited<ReturnType<typeof api.listCalendarProviders>>[number];
type Consent = Awaited<ReturnType<typeof api.redeemCalendarConsent>>;

/** A button for each provider with a client of the operator, and what its owner is asked for; else nothing. */
export function ConnectByConsent() {
  const providers = useQuery({
    queryKey: ['calendar-providers'],
    queryFn: ({ signal }) => api.listCalendarProviders({}, { signal }),
    staleTime: Infinity,
  });
  return (
    <For role="member">
      <div className="stack">
        {providers.data
          ?.filter(({ consent_available: isAvailable }) => isAvailable)
          .map((provider) => (
            <ConnectButton key={provider.calendar_platform} provider={provider} />
          ))}
      </div>
    </For>
  );
}

function ConnectButton({ provider: { name, calendar_platform, scopes } }: { readonly provider: Provider }) {
  const start = useMutation({
    mutationFn: () => api.startCalendarConsent({ body: { calendar_platform } }),
    onSuccess: ({ authorization_url: address }) => {
      if (/^https?:/.test(address)) location.assign(address);
    },
  });
  return (
    <div className="stack">
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={start.isPending || start.isSuccess}
          onClick={() => start.mutate()}
        >
          Connect {name}
        </button>
      </div>
      <div className="hint">
        You are asked there to permit:
        <ul className="reasons">
          {scopes.map(({ scope, purpose }) => (
            <li key={scope}>
              {purpose} <code className="breaks">{scope}</code>
            </li>
          ))}
        </ul>
      </div>
      {start.isError && <Notice kind="fail">{sentenceOf(start.error)}</Notice>}
    </div>
  );
}

const returned = ['state', 'code', 'error', 'error_description'] as const;

/** After a consent the provider leads here: redeems it once, and offers the account's calendars. */
export function ReturnFromProvider() {
  const [search, setSearch] = useSearchParams();
  const redeem = useMutation({ mutationFn: (body: { state: string }) => api.redeemCalendarConsent({ body }) });
  const { mutate } = redeem;
  const isSent = useRef(false);
  useEffect(() => {
    const state = search.get('state');
    if (state === null || isSent.current) return;
    isSent.current = true;
    const given = returned.map((name) => [name, search.get(name)] as const);
    mutate({ ...Object.fromEntries(given.filter(([, value]) => value !== null)), state });
    // The code leaves the address and the history.
    setSearch(new URLSearchParams(), { replace: true });
  }, [search, setSearch, mutate]);
  if (redeem.isPending) return <Notice kind="info">The consent is checked…</Notice>;
  if (redeem.isError) {
    return (
      <Notice kind="fail" title="The calendar is not connected">
        {sentenceOf(redeem.error)}
      </Notice>
    );
  }
  return redeem.data === undefined ? null : <ChooseCalendar consent={redeem.data} />;
}

function ChooseCalendar({ consent }: { readonly consent: Consent }) {
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isAbandoned, abandon] = useState(false);
  const connect = useMutation({
    mutationFn: (raw_calendar_id: string) =>
      api.connectConsentedCalendar({ consent_id: consent.consent_id, body: { raw_calendar_id } }),
    onSuccess: () => client.invalidateQueries(),
  });
  useEffect(() => heading.current?.focus(), []);
  if (isAbandoned) return null;
  if (connect.isSuccess) {
    return (
      <Notice kind="pass">
        The calendar of {connect.data.account_email} is connected. Its meetings appear here in a moment.
      </Notice>
    );
  }
  return (
    <section className="card">
      <h2 ref={heading} tabIndex={-1}>
        Choose a calendar from {calendarProviders[consent.calendar_platform].title}
      </h2>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          connect.mutate(textOf(new FormData(event.currentTarget), 'calendar'));
        }}
      >
        {consent.calendars.length === 0 && <p>The account has no calendar.</p>}
        {consent.calendars.map(({ id, name, is_primary: isPrimary }, index) => (
          <label key={id} className="breaks">
            <input type="radio" name="calendar" value={id} required defaultChecked={isPrimary || index === 0} /> {name}
            {isPrimary ? ' (main calendar)' : ''}
          </label>
        ))}
        {connect.isError && <Notice kind="fail">{sentenceOf(connect.error)}</Notice>}
        <div className="buttons">
          <button type="submit" className="primary" disabled={connect.isPending || consent.calendars.length === 0}>
            Connect this calendar
          </button>
          <button type="button" onClick={() => abandon(true)}>
            Cancel
          </button>
        </div>
      </form>
    </section>
  );
}

import type { UseQueryResult } from '@tanstack/react-query';
import type { components } from '@rapporteur/sdk';
import { sentenceOf } from '../api/client.ts';
import { State } from '../elements/status.tsx';
import { platformNames } from '../elements/status-text.ts';

type PreflightResult = components['schemas']['Preflight'];

interface PreflightProps {
  readonly query: UseQueryResult<PreflightResult>;
  readonly isLater: boolean;
}

/** The API's preflight result for the bot before it is sent. */
export function Preflight({ query, isLater }: PreflightProps) {
  return (
    <aside className="card" aria-label="Check before sending" aria-live="polite">
      <h2>Check before sending</h2>
      {query.isError ? (
        <p>{sentenceOf(query.error)}</p>
      ) : query.data === undefined ? (
        <p className="hint">{query.isFetching ? 'Checking…' : 'Enter a meeting link, and it is checked here.'}</p>
      ) : (
        <Result result={query.data} isLater={isLater} />
      )}
    </aside>
  );
}

function Result({ result, isLater }: { readonly result: PreflightResult; readonly isLater: boolean }) {
  const { meeting, ready, checks, daily_bots: daily, tokens } = result;
  const messages = result.not_checked.map(({ message }) => message);
  const open = isLater ? [...messages, 'Whether the time is accepted.'] : messages;
  return (
    <>
      <p>
        {meeting === null ? (
          'The link is not understood.'
        ) : (
          <>
            <strong>{platformNames[meeting.platform]}</strong>, meeting{' '}
            <code className="breaks">{meeting.meeting_id}</code>
          </>
        )}
      </p>
      <p>
        <State state={ready ? 'pass' : 'fail'} />{' '}
        {ready ? (isLater ? 'The API would take this bot.' : 'Ready to send.') : 'The bot would be refused.'}
      </p>
      {ready && open.length > 0 && (
        <details>
          <summary>What was not checked</summary>
          <ul className="reasons">
            {open.map((message) => (
              <li key={message} className="hint">
                {message}
              </li>
            ))}
          </ul>
        </details>
      )}
      <ul className="checks">
        {checks
          .filter(({ status }) => status !== 'pass')
          .map(({ name, status, message }) => (
            <li key={name}>
              <State state={status} /> {message ?? name}
            </li>
          ))}
      </ul>
      <dl className="facts">
        <dt>Bots in the last 24 hours</dt>
        <dd>
          {daily.used} of {daily.cap}
        </dd>
        <dt>Tokens available</dt>
        <dd>{tokens.available}</dd>
        <dt>Reserved for this bot</dt>
        <dd>{tokens.reserved_per_bot}</dd>
      </dl>
    </>
  );
}

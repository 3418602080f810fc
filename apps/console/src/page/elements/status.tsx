import { Fragment } from 'react';
import { phaseOf, stateText, statusText } from './status-text.ts';

/** A bot's status as text, with a colour that repeats it. */
export function Status({ status }: { readonly status: string }) {
  return <span className={`status ${phaseOf(status)}`}>{statusText(status)}</span>;
}

export function State({ state }: { readonly state: string }) {
  const kinds: Record<string, string> = {
    active: 'good',
    done: 'good',
    pass: 'good',
    passed: 'good',
    succeeded: 'good',
    failed: 'bad',
    failing: 'bad',
    gone: 'bad',
    disabled_failing: 'bad',
    refused: 'bad',
    fail: 'bad',
    invalid: 'bad',
    error: 'bad',
    revoked: 'bad',
    permission_denied: 'bad',
    pending: 'waiting',
    held: 'waiting',
    warn: 'waiting',
    warning: 'waiting',
    suspended: 'waiting',
    scheduled: 'waiting',
  };
  return <span className={`status ${kinds[state] ?? 'neutral'}`}>{stateText(state)}</span>;
}

/** A code such as BOT_NOT_ACCEPTED, with line breaks allowed after underscores. */
export function CodeName({ code }: { readonly code: string }) {
  const words = code.split('_');
  return words.map((word, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          _<wbr />
        </>
      )}
      {word}
    </Fragment>
  ));
}

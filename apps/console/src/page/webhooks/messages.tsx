import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { statusText } from '../elements/status-text.ts';
import { Time } from '../elements/time.tsx';

export type Message = Awaited<ReturnType<typeof api.listWebhookMessages>>['data'][number];

/** Messages of one endpoint, each with its attempts on request and a resend. */
export function MessageTable({
  messages,
  endpointId,
}: {
  readonly messages: readonly Message[];
  readonly endpointId: string;
}) {
  return (
    <ul className="messages">
      {sameFailures(messages).map(([first, ...others]) => (
        <Fragment key={first.message_id}>
          <MessageRow message={first} endpointId={endpointId} />
          {others.length > 0 && (
            <li>
              <details>
                <summary>{others.length} more failed in the same way</summary>
                <ul className="messages">
                  {others.map((message) => (
                    <MessageRow key={message.message_id} message={message} endpointId={endpointId} />
                  ))}
                </ul>
              </details>
            </li>
          )}
        </Fragment>
      ))}
    </ul>
  );
}

function MessageRow({ message, endpointId }: { readonly message: Message; readonly endpointId: string }) {
  const [isOpen, setOpen] = useState(false);
  const what = eventText(message);
  return (
    <li>
      <div className="message-head">
        <strong>{what}</strong>
        <State state={message.state} />
        <Time at={message.created_at} seconds />
        <Action
          label="Send again"
          about={what}
          act={async () => {
            const id = { message_id: message.message_id, endpoint_id: endpointId };
            return (await api.resendWebhookMessage(id)).message;
          }}
        />
      </div>
      {message.last_error !== null && <p className="hint">{message.last_error}</p>}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {message.attempts === 1 ? '1 attempt' : `${message.attempts} attempts`}
          {message.next_attempt_at !== null && (
            <>
              , next <Time at={message.next_attempt_at} seconds />
            </>
          )}
        </summary>
        {isOpen && <Attempts messageId={message.message_id} endpointId={endpointId} />}
        <pre tabIndex={0} aria-label={`Payload of ${what}`}>
          {JSON.stringify(message.payload, null, 2)}
        </pre>
      </details>
    </li>
  );
}

function Attempts({ messageId, endpointId }: { readonly messageId: string; readonly endpointId: string }) {
  const id = { message_id: messageId, endpoint_id: endpointId };
  const attempts = useQuery({
    queryKey: ['attempts', id],
    queryFn: ({ signal }) => api.listWebhookAttempts(id, { signal }),
  });
  return (
    <QueryResult query={attempts}>
      {(list) => (
        <ol className="attempts" reversed>
          {list.map((attempt) => (
            <li key={attempt.attempt_id}>
              <State state={attempt.outcome} /> <Time at={attempt.started_at} seconds />,{' '}
              {attempt.status_code === null ? 'no response' : `status ${attempt.status_code}`}, {attempt.duration_ms} ms
              {attempt.error !== null && <span className="hint block">{attempt.error}</span>}
            </li>
          ))}
        </ol>
      )}
    </QueryResult>
  );
}

/** `bot.status_change: Recording`. */
function eventText({ event, payload }: Message): string {
  if (event !== 'bot.status_change') return event;
  const data = payload['data'] as { status?: { code?: unknown } } | undefined;
  const code = data?.status?.code;
  return typeof code === 'string' ? `${event}: ${statusText(code)}` : event;
}

interface Delivered {
  readonly state: string;
  readonly last_error: string | null;
}

/** Messages in their order; consecutive ones that failed for the same reason are one group. */
export function sameFailures<M extends Delivered>(messages: readonly M[]): [M, ...M[]][] {
  const groups: [M, ...M[]][] = [];
  for (const message of messages) {
    const before = groups.at(-1);
    const isSame =
      message.state === 'failed' && before?.[0].state === 'failed' && before[0].last_error === message.last_error;
    if (isSame) before.push(message);
    else groups.push([message]);
  }
  return groups;
}

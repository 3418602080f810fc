import { loginPlatforms, platforms } from '@rapporteur/contracts/platforms';
import { parseMeetingLink } from '@rapporteur/meeting-links';
import type { components } from '@rapporteur/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Provider } from '../elements/providers.tsx';
import { api, sentenceOf } from '../api/client.ts';
import { Field } from '../elements/form.tsx';
import { Notice, Page } from '../elements/page.tsx';
import { ProviderOptions } from '../elements/providers.tsx';
import { timeZone } from '../elements/time.tsx';
import { useSettled } from '../elements/filters.tsx';
import { State, platformNames } from '../elements/status.tsx';

const typingMs = 400;

/** Sends a bot now or at a later time. The preflight result is shown beside the form while it is filled in. */
export function SendBot() {
  const [search] = useSearchParams();
  const [draft, setDraft] = useState<BotDraft>({
    ...emptyDraft,
    meetingUrl: search.get('meeting_url') ?? '',
    botName: search.get('bot_name') ?? emptyDraft.botName,
  });
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: async () => {
      const problem = loginProblem(draft);
      if (problem !== null) throw new Error(problem);
      const joinAt = joinAtOf(draft);
      const body = requestOf(draft);
      if (joinAt === null) return `/bots/${(await api.createBot({ body })).bot_id}`;
      await api.scheduleBot({ body: { ...body, join_at: joinAt } });
      return '/scheduled';
    },
    onSuccess: async (path) => {
      await client.invalidateQueries();
      navigate(path);
    },
  });
  const settled = useSettled(draft, typingMs);
  const preflight = useQuery({
    queryKey: ['preflight', requestOf(settled)],
    queryFn: ({ signal }) => api.preflightBot({ body: requestOf(settled) }, { signal }),
    enabled: settled.meetingUrl.trim() !== '' && settled.botName.trim() !== '',
    staleTime: 10_000,
  });
  return (
    <Page title="Send a bot">
      <div className="two">
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            send.mutate();
          }}
        >
          <Fields draft={draft} onChange={(change) => setDraft((before) => ({ ...before, ...change }))} />
          {send.isError && (
            <Notice kind="fail" title="The bot was not sent">
              {sentenceOf(send.error)}
            </Notice>
          )}
          <div className="buttons">
            <button type="submit" className="primary" disabled={send.isPending}>
              {draft.when === 'now' ? 'Send the bot now' : 'Schedule the bot'}
            </button>
          </div>
        </form>
        <Preflight query={preflight} isLater={draft.when === 'later'} />
      </div>
    </Page>
  );
}

interface FieldsProps {
  readonly draft: BotDraft;
  readonly onChange: (change: Partial<BotDraft>) => void;
}

function Fields({ draft, onChange }: FieldsProps) {
  return (
    <>
      <Field label="Meeting link" hint="Zoom, Google Meet or Microsoft Teams.">
        <input
          type="url"
          required
          placeholder="https://meet.google.com/abc-defg-hij"
          value={draft.meetingUrl}
          onChange={(event) => onChange({ meetingUrl: event.target.value })}
        />
      </Field>
      <Field label="Name of the bot" hint="Everybody in the meeting sees it.">
        <input
          required
          maxLength={255}
          value={draft.botName}
          onChange={(event) => onChange({ botName: event.target.value })}
        />
      </Field>
      <When draft={draft} onChange={onChange} />
      <Field label="Recording">
        <select
          value={draft.recordingMode}
          onChange={(event) => onChange({ recordingMode: event.target.value as BotDraft['recordingMode'] })}
        >
          <option value="speaker_view">Speaker view</option>
          <option value="gallery_view">Gallery view</option>
          <option value="audio_only">Audio only</option>
        </select>
      </Field>
      <Field label="Transcription" hint="The check beside shows whether it works here and for this meeting.">
        <select
          value={draft.provider}
          onChange={(event) => onChange({ provider: event.target.value as BotDraft['provider'] })}
        >
          <option value="">None</option>
          <ProviderOptions />
        </select>
      </Field>
      <Field label="Message in the chat when it joins" hint="Left empty: it writes nothing.">
        <textarea
          rows={2}
          maxLength={4_096}
          value={draft.entryMessage}
          onChange={(event) => onChange({ entryMessage: event.target.value })}
        />
      </Field>
      <More draft={draft} onChange={onChange} />
    </>
  );
}

function More({ draft, onChange }: FieldsProps) {
  const problem = draft.meetingUrl === '' ? null : loginProblem(draft);
  return (
    <details>
      <summary>Waiting time, login and retention</summary>
      <div className="stack">
        <Field label="Waits for its admission" hint="It leaves after this time in the waiting room.">
          <select
            value={draft.waitingMinutes}
            onChange={(event) => onChange({ waitingMinutes: Number(event.target.value) })}
          >
            {[2, 5, 10, 15, 20, 30].map((minutes) => (
              <option key={minutes} value={minutes}>
                {minutes} minutes
              </option>
            ))}
          </select>
        </Field>
        <Field
          label="Login"
          hint="For Google Meet and Microsoft Teams; stored under Logins. Zoom has credentials of its own."
        >
          <select
            value={draft.login}
            onChange={(event) => onChange({ login: event.target.value as BotDraft['login'] })}
          >
            <option value="">Joins as a guest</option>
            <option value="fail">Signs in with a stored login</option>
            <option value="anonymous">Signs in, or joins as a guest when none is free</option>
          </select>
        </Field>
        {problem !== null && <Notice kind="warn">{problem}</Notice>}
        <Field label="Data is kept for days" hint="Left empty: as long as the team keeps data.">
          <input
            type="number"
            min={1}
            max={36_500}
            value={draft.retentionDays}
            onChange={(event) => onChange({ retentionDays: event.target.value })}
          />
        </Field>
      </div>
    </details>
  );
}

function When({ draft, onChange }: FieldsProps) {
  return (
    <fieldset>
      <legend>When</legend>
      {(['now', 'later'] as const).map((when) => (
        <label key={when}>
          <input type="radio" name="when" checked={draft.when === when} onChange={() => onChange({ when })} />{' '}
          {when === 'now' ? 'Now' : 'At a time'}
        </label>
      ))}
      {draft.when === 'later' && (
        <Field label="Joins at" hint={`Time zone: ${timeZone}.`}>
          <input
            type="datetime-local"
            required
            value={draft.joinAt}
            onChange={(event) => onChange({ joinAt: event.target.value })}
          />
        </Field>
      )}
    </fieldset>
  );
}

type PreflightResult = components['schemas']['Preflight'];

interface PreflightProps {
  readonly query: UseQueryResult<PreflightResult>;
  readonly isLater: boolean;
}

/** The API's preflight result for the bot before it is sent. */
function Preflight({ query, isLater }: PreflightProps) {
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
        {ready ? (isLater ? 'The API would accept this bot.' : 'Ready to send.') : 'The bot would be refused.'}
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

type CreateBot = components['schemas']['CreateBot'];

/** The form as it is filled in. */
export interface BotDraft {
  readonly meetingUrl: string;
  readonly botName: string;
  readonly when: 'now' | 'later';
  /** In the form of an input of type datetime-local, in the browser's time zone. */
  readonly joinAt: string;
  readonly recordingMode: components['schemas']['RecordingMode'];
  readonly provider: '' | Provider;
  readonly entryMessage: string;
  readonly waitingMinutes: number;
  /** What happens when no login is free; empty: the bot is a guest. */
  readonly login: '' | 'fail' | 'anonymous';
  readonly retentionDays: string;
}

const usualMinutes = 10;

export const emptyDraft: BotDraft = {
  meetingUrl: '',
  botName: 'Rapporteur',
  when: 'now',
  joinAt: '',
  recordingMode: 'speaker_view',
  provider: 'meeting_captions',
  entryMessage: '',
  waitingMinutes: usualMinutes,
  login: '',
  retentionDays: '',
};

/** The request to the API; the time of joining is separate, because preflight takes none. */
export function requestOf(draft: BotDraft): CreateBot {
  const message = draft.entryMessage.trim();
  const days = Number(draft.retentionDays);
  return {
    bot_name: draft.botName.trim(),
    meeting_url: draft.meetingUrl.trim(),
    recording_mode: draft.recordingMode,
    ...(message === '' ? {} : { entry_message: message }),
    ...(draft.waitingMinutes === usualMinutes
      ? {}
      : { timeout_config: { waiting_room_timeout: draft.waitingMinutes * 60 } }),
    ...loginOf(draft),
    ...(days > 0 ? { retention_hours: days * 24 } : {}),
    ...(draft.provider === ''
      ? {}
      : { transcription_enabled: true, transcription_config: { provider: draft.provider } }),
  };
}

type LoginSettings = Pick<CreateBot, 'meet_config' | 'teams_config'>;

/** The login settings follow the platform of the link, as far as it is one with stored logins. */
function loginOf(draft: BotDraft): LoginSettings {
  const platform = loginPlatforms.find((name) => name === platformOf(draft.meetingUrl).platform);
  return draft.login === '' || platform === undefined
    ? {}
    : { [platforms[platform].settings]: { fallback: draft.login } };
}

/** Why the chosen login applies to no bot of this link; null: it applies, or none is chosen. */
export function loginProblem({ login, meetingUrl }: BotDraft): string | null {
  const { platform, reason } = platformOf(meetingUrl);
  if (login === '' || loginPlatforms.some((name) => name === platform)) return null;
  return platform === null ? reason : `${platforms[platform].title} has no stored logins. Choose “Joins as a guest”.`;
}

/** A link of no platform is read once more as one of a simulator: only the API has the hosts of simulators. */
function platformOf(text: string) {
  const real = parseMeetingLink(text);
  if (real.accepted) return { platform: real.link.platform, reason: '' };
  if (real.platform !== null || !URL.canParse(text)) return real;
  const simulated = parseMeetingLink(text, { simulator: { linkHosts: [new URL(text).host] } });
  return { platform: simulated.accepted ? simulated.link.platform : simulated.platform, reason: real.reason };
}

/** Null: now. */
export function joinAtOf({ when, joinAt }: Pick<BotDraft, 'when' | 'joinAt'>): string | null {
  if (when === 'now') return null;
  const at = new Date(joinAt);
  if (Number.isNaN(at.getTime())) throw new Error('Choose the time at which the bot joins.');
  return at.toISOString();
}

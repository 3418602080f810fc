import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import { useQuery } from '@tanstack/react-query';
import { api, artifactUrl, readArtifact } from '../api/client.ts';
import { durationOf, clockOf, Time, timeText } from '../elements/time.tsx';
import { Page, QueryResult, EmptyState } from '../elements/page.tsx';
import { Status, isFinal, isPresent, platformNames, isPausable, mayLeave } from '../elements/status.tsx';
import { Recording } from '../recording/recording.tsx';
import { Action } from '../elements/action.tsx';
import { Form } from '../elements/form.tsx';
import { ProviderOptions, isProvider } from '../elements/providers.tsx';
import {
  parseChat,
  joinedAcross,
  parseDiarization,
  parsePresence,
  speakerRows,
} from '../recording/artifact-documents.ts';
import { Table } from '../elements/table.tsx';
import { Deliveries } from './deliveries.tsx';
import { BotFacts } from './bot-facts.tsx';
import { Explanation } from './explanation.tsx';
import { History, useLosses } from './history.tsx';
import { Elapsed, LastScreenshot, TranscriptionProgress } from './live-bot.tsx';
import { LiveMeeting } from './live-meeting.tsx';
import type { Bot } from './explanation.tsx';

const liveMs = 2_000;

export function BotPage({ botId }: { readonly botId: string }) {
  const query = useQuery({
    queryKey: ['bot', botId],
    queryFn: ({ signal }) => api.getBot({ bot_id: botId }, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isFinal(state.data.status) ? false : liveMs),
  });
  return (
    <Page title={query.data?.bot_name ?? 'Bot'} actions={query.data !== undefined && <BotActions bot={query.data} />}>
      <QueryResult query={query}>
        {(bot) => (
          <>
            <Summary bot={bot} />
            <Explanation bot={bot} />
            {bot.status === 'failed' && <FailureEvidence bot={bot} />}
            {isPresent(bot.status) ? <LiveMeeting bot={bot} /> : <LastScreenshot bot={bot} />}
            <Recording bot={bot} />
            <Retranscribe bot={bot} />
            <Details bot={bot} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function Summary({ bot }: { readonly bot: Bot }) {
  return (
    <p className="summary">
      <Status status={bot.status} />
      <span>{platformNames[bot.meeting_platform]}</span>
      <span>
        Created <Time at={bot.created_at} />
      </span>
      <Elapsed bot={bot} />
      <TranscriptionProgress bot={bot} />
      {bot.duration_seconds !== null && <span>{durationOf(bot.duration_seconds)} in the meeting</span>}
    </p>
  );
}

function Details({ bot }: { readonly bot: Bot }) {
  const panels = [
    ['participants', 'Participants', <Participants bot={bot} />],
    ['history', 'History', <History bot={bot} />],
    ['chat', 'Chat', <Chat bot={bot} />],
    ['events', 'Events and deliveries', <Deliveries bot={bot} />],
    ['facts', 'Details', <BotFacts bot={bot} />],
  ] as const;
  return (
    <TabProvider defaultSelectedId={bot.status === 'completed' ? 'participants' : 'history'}>
      <TabList className="tabs" aria-label="About this bot">
        {panels.map(([id, label]) => (
          <Tab key={id} id={id} className="tab">
            {label}
          </Tab>
        ))}
      </TabList>
      {panels.map(([id, , content]) => (
        <TabPanel key={id} tabId={id} unmountOnHide>
          {content}
        </TabPanel>
      ))}
    </TabProvider>
  );
}

/** Transcribes a stored recording again, or for the first time. */
function Retranscribe({ bot }: { readonly bot: Bot }) {
  if (!isFinal(bot.status) || bot.artifacts_deleted || (bot.video === null && bot.audio_m4a === null)) return null;
  return (
    <Form
      title={bot.transcription === null ? 'Transcribe it' : 'Transcribe it again'}
      button="Start the transcription"
      fields={[
        {
          name: 'provider',
          label: 'Provider',
          hint: 'The new transcript replaces the one before.',
          options: (
            <>
              <option value="">As the bot was sent</option>
              <ProviderOptions />
            </>
          ),
          value: bot.transcription_provider,
        },
        {
          name: 'api_key',
          label: 'Your own key of the provider',
          hint: 'Left empty: the key of this service.',
          type: 'secret',
          empty: 'absent',
        },
      ]}
      send={async ({ provider, ...key }: { readonly provider: string; readonly api_key?: string }) => {
        const transcription = isProvider(provider) ? { provider, ...key } : null;
        return (await api.retranscribeBot({ bot_id: bot.bot_id, body: { transcription } })).message;
      }}
    />
  );
}

/** The state of the page when the bot failed, and its screenshots. */
function FailureEvidence({ bot }: { readonly bot: Bot }) {
  const screenshots = useQuery({
    queryKey: ['screenshots', bot.bot_id],
    queryFn: ({ signal }) => api.listBotScreenshots({ bot_id: bot.bot_id }, { signal }),
    staleTime: 60_000,
  });
  const seen = screenshots.data?.data ?? [];
  return (
    <section aria-label="Evidence">
      {bot.failure_evidence !== null && <PageEvidence evidence={bot.failure_evidence} />}
      {seen.length > 0 && (
        <>
          <h2>Screenshots</h2>
          <ul className="screenshots">
            {seen.map(({ screenshot_id: number, taken_at: takenAt }) => (
              <li key={number}>
                <a href={artifactUrl(bot.bot_id, `screenshots/${number}`)} target="_blank" rel="noreferrer">
                  <img
                    src={artifactUrl(bot.bot_id, `screenshots/${number}`)}
                    alt={`The meeting page, screenshot ${number} of ${seen.length}`}
                    loading="lazy"
                  />
                </a>
                <span className="hint">
                  <Time at={takenAt} seconds />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {screenshots.isSuccess && seen.length === 0 && <p className="hint">There are no screenshots of this bot.</p>}
    </section>
  );
}

/** The actions that the bot's state permits. */
function BotActions({ bot }: { readonly bot: Bot }) {
  if (mayLeave(bot.status)) return <LiveActions bot={bot} />;
  return isFinal(bot.status) ? <EndedActions bot={bot} /> : null;
}

function LiveActions({ bot }: { readonly bot: Bot }) {
  const id = { bot_id: bot.bot_id };
  return (
    <>
      {isPausable(bot.status) && (
        <Action
          label="Pause the recording"
          act={async () => (await api.pauseBotRecording({ ...id, body: null })).message}
        />
      )}
      {bot.status === 'recording_paused' && (
        <Action
          label="Resume the recording"
          act={async () => (await api.resumeBotRecording({ ...id, body: null })).message}
        />
      )}
      <Action
        label="Leave the meeting"
        kind="danger"
        confirm={{
          title: `Shall “${bot.bot_name}” leave the meeting?`,
          text: 'It leaves now. What it recorded so far is kept.',
          button: 'Leave now',
        }}
        act={async () => (await api.leaveBot(id)).message}
      />
    </>
  );
}

function EndedActions({ bot }: { readonly bot: Bot }) {
  const id = { bot_id: bot.bot_id };
  return (
    <>
      <Action label="Send its webhook again" act={async () => (await api.resendBotWebhook(id)).message} />
      {!bot.artifacts_deleted && (
        <Action
          label="Delete its data"
          kind="danger"
          confirm={{
            title: `Delete the data of “${bot.bot_name}”?`,
            text: `Recording, transcript, chat and participants of ${bot.meeting_url}, created ${timeText(bot.created_at)}, are deleted for good.`,
            button: 'Delete for good',
          }}
          act={async () => (await api.deleteBotData(id)).message}
        />
      )}
    </>
  );
}

function Chat({ bot }: { readonly bot: Bot }) {
  const has = bot.chat_messages !== null;
  const chat = useQuery({
    queryKey: ['artifact', bot.bot_id, 'chat_messages'],
    queryFn: async ({ signal }) => parseChat(await readArtifact(bot.bot_id, 'chat_messages', signal)),
    enabled: has,
    staleTime: Infinity,
  });
  if (!has) {
    return (
      <>
        {isPresent(bot.status) && <WriteToChat bot={bot} />}
        <EmptyState title="No chat yet">The chat is stored when the meeting is over.</EmptyState>
      </>
    );
  }
  return (
    <QueryResult query={chat}>
      {(messages) =>
        messages.length === 0 ? (
          <EmptyState title="The chat is empty">Set an entry message to have the bot say what it does.</EmptyState>
        ) : (
          <ol className="chat">
            {messages.map((message) => (
              <li key={message.id}>
                <span className="hint">
                  <strong>{message.sender}</strong> <Time at={message.sentAt} seconds />
                </span>
                <p>{message.text}</p>
              </li>
            ))}
          </ol>
        )
      }
    </QueryResult>
  );
}

function WriteToChat({ bot }: { readonly bot: Bot }) {
  return (
    <Form
      title="Write to the chat of the meeting"
      button="Write it"
      fields={[
        {
          name: 'message',
          label: 'Message',
          hint: 'Everybody in the meeting sees it, under the name of the bot.',
          type: 'area',
        },
      ]}
      send={async (body: { readonly message: string }) =>
        (await api.sendBotChatMessage({ bot_id: bot.bot_id, body })).message
      }
    />
  );
}

/** Who was in the meeting; once the files are stored, for how long each spoke and when each was there. */
export function Participants({ bot }: { readonly bot: Bot }) {
  const file = (name: 'diarization' | 'participants_file') => ({
    queryKey: ['artifact', bot.bot_id, name, 'text'],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => readArtifact(bot.bot_id, name, signal),
    enabled: bot[name] !== null,
    staleTime: Infinity,
  });
  const spoken = useQuery(file('diarization'));
  const presence = useQuery(file('participants_file'));
  const { gaps } = useLosses(bot);
  if (bot.participants.length === 0) {
    return (
      <EmptyState title="No participants">
        {isFinal(bot.status)
          ? 'The bot met no participant, or its data was deleted.'
          : 'They appear once the bot is in the meeting.'}
      </EmptyState>
    );
  }
  const seconds = new Map(speakerRows(parseDiarization(spoken.data ?? '')).map((row) => [row.speakerId, row.seconds]));
  const present = parsePresence(presence.data ?? '');
  const speakers = new Set(bot.speakers.map(({ id }) => id));
  return (
    <ul className="participants">
      {bot.participants.map(({ id, name, display_name: shown }) => (
        <li key={`${id ?? ''}-${name}`}>
          <strong>{shown ?? name}</strong>
          {speakers.has(id) && <span className="status good">Spoke</span>}
          {id !== null && seconds.has(id) && <span>for {durationOf(seconds.get(id) ?? null)}</span>}
          {joinedAcross((id !== null && present.get(id)) || [], gaps).map(({ start, end }) => (
            <span key={start} className="hint">
              there from {clockOf(start)} to {clockOf(end)}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

type Evidence = NonNullable<Bot['failure_evidence']>;

/** Steps beyond this number are shown on request. */
const shownSteps = 12;

/** The rule that matched, the page that it matched, and the timings of the session's steps. */
export function PageEvidence({ evidence }: { readonly evidence: Evidence }) {
  const { rule, page_title: title, page_host: host } = evidence;
  const steps = timedSteps(evidence.steps);
  const hidden = steps.length - shownSteps;
  return (
    <>
      <h2>What the page showed</h2>
      <dl className="facts">
        <dt>Rule that matched</dt>
        <dd>{rule === null ? 'none' : <code>{rule}</code>}</dd>
        <dt>Title of the page</dt>
        <dd className="breaks">{title === null || title === '' ? '—' : title}</dd>
        <dt>Host of the page</dt>
        <dd className="breaks">{host ?? '—'}</dd>
      </dl>
      {steps.length > 0 && <StepTable steps={hidden > 0 ? steps.slice(-shownSteps) : steps} />}
      {hidden > 0 && (
        <details className="ended">
          <summary>The {hidden} earlier steps</summary>
          <StepTable steps={steps.slice(0, hidden)} />
        </details>
      )}
    </>
  );
}

function StepTable({ steps }: { readonly steps: ReturnType<typeof timedSteps> }) {
  return (
    <Table
      label="Steps of the session"
      head={['Step', 'After the step before', ['Time', 'wide']]}
      rows={steps.map(({ step, at, after }) => [step, after, <Time at={at} seconds />])}
    />
  );
}

interface SessionStep {
  readonly step: string;
  readonly at: string;
}

/** Steps of a session, each with the time since the step before: `0.25 s`, a dash for the first. */
export function timedSteps(steps: readonly SessionStep[]): (SessionStep & { readonly after: string })[] {
  return steps.map((step, index) => {
    const before = steps[index - 1];
    if (before === undefined) return { ...step, after: '—' };
    const ms = Math.max(0, Date.parse(step.at) - Date.parse(before.at));
    return { ...step, after: ms < 60_000 ? `${(ms / 1_000).toFixed(2)} s` : durationOf(ms / 1_000) };
  });
}

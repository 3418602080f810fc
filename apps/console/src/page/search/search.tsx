import type { Input } from '@rapporteur/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../api/client.ts';
import { clockOf, durationOf, Time } from '../elements/time.tsx';
import { Filters, TextFilter, useAddress, useSettled } from '../elements/filters.tsx';
import { Page, EmptyState, QueryResult } from '../elements/page.tsx';
import { platformNames, Status } from '../elements/status.tsx';

/** The search follows a pause of this length in typing. */
const settleMs = 400;

type FoundTranscript = Awaited<ReturnType<typeof api.searchTranscripts>>['data'][number];

/** Bots of a field shown at most. */
const mostBots = 5;
const fields = ['bot_name', 'meeting_url', 'participant_name'] as const;

/** Bots by name, link and participant, and the words of all transcripts of the team; a hit opens the player at its second. */
export function Search() {
  const address = useAddress();
  const settled = new URLSearchParams(useSettled(address.search.toString(), settleMs));
  const q = (settled.get('q') ?? '').trim();
  const cursor = settled.get('cursor');
  const found = useQuery({
    queryKey: ['transcripts', q, cursor],
    queryFn: ({ signal }) => api.searchTranscripts({ q, ...(cursor === null ? {} : { cursor }) }, { signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Search">
      <Filters label="Search">
        <TextFilter address={address} name="q" label="Bot, meeting link, participant, or words that were said" />
      </Filters>
      <p className="hint">
        All words must be in the transcript. <code>&quot;next quarter&quot;</code> finds the words in this order,{' '}
        <code>-draft</code> leaves out transcripts with the word, <code>budg*</code> finds words that begin so.
      </p>
      {q !== '' && <FoundBots q={q} />}
      {q !== '' && (
        <QueryResult query={found}>
          {({ data, cursor: next }) => (
            <>
              <FoundList transcripts={data} isWhole={next === null && cursor === null} />
              {(next !== null || cursor !== null) && (
                <nav className="pager" aria-label="Pages of transcripts">
                  <button type="button" disabled={cursor === null} onClick={() => address.change('cursor', null)}>
                    Newest
                  </button>
                  <button type="button" disabled={next === null} onClick={() => address.change('cursor', next)}>
                    Older
                  </button>
                </nav>
              )}
            </>
          )}
        </QueryResult>
      )}
    </Page>
  );
}

function FoundBots({ q }: { readonly q: string }) {
  const found = useQuery({
    queryKey: ['found bots', q],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        fields.map((field) => api.listBots({ [field]: q, limit: mostBots } as Input<'listBots'>, { signal })),
      );
      return [...new Map(pages.flatMap(({ data }) => data).map((bot) => [bot.bot_id, bot])).values()];
    },
    placeholderData: keepPreviousData,
  });
  return (
    <QueryResult query={found}>
      {(bots) =>
        bots.length > 0 && (
          <section className="card" aria-labelledby="found-bots">
            <h2 id="found-bots">Bots</h2>
            <ul className="meetings">
              {bots.map((bot) => (
                <li key={bot.bot_id}>
                  <Link href={`/bots/${bot.bot_id}`}>{bot.bot_name}</Link> <Status status={bot.status} />
                  <span className="hint block breaks">
                    {bot.meeting_url}, <Time at={bot.created_at} />
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </QueryResult>
  );
}

function FoundList({
  transcripts,
  isWhole,
}: {
  readonly transcripts: readonly FoundTranscript[];
  readonly isWhole: boolean;
}) {
  if (transcripts.length === 0) {
    return (
      <EmptyState title={isWhole ? 'No transcript has these words' : 'None of these transcripts has these words'}>
        Words are found as they were transcribed. Try fewer of them, or the beginning of one with <code>*</code>.
      </EmptyState>
    );
  }
  return transcripts.map((transcript) => <Found key={transcript.bot_id} transcript={transcript} />);
}

/** A transcript with the places where the words are. */
export function Found({ transcript }: { readonly transcript: FoundTranscript }) {
  const { bot_id: id, bot_name: name, joined_at: joinedAt, hits } = transcript;
  return (
    <section className="card">
      <div className="card-head">
        <h2>
          <Link href={`/bots/${id}`}>{name}</Link>
        </h2>
        <span className="hint">
          {platformNames[transcript.meeting_platform]}, {durationOf(transcript.duration_seconds)}
          {joinedAt !== null && (
            <>
              , <Time at={joinedAt} />
            </>
          )}
        </span>
      </div>
      <ul className="chat">
        {hits.map(({ start, speaker, snippet }) => (
          <li key={start}>
            <Link href={`/bots/${id}?t=${start}`}>
              <span className="visually-hidden">Play from </span>
              {clockOf(start)}
            </Link>{' '}
            <strong className="breaks">{speaker}</strong>
            <p className="breaks">
              {snippet.map(({ text, match }, index) => (match ? <mark key={index}>{text}</mark> : text))}
            </p>
          </li>
        ))}
      </ul>
      {transcript.more_hits && <p className="hint">There is more in this transcript.</p>}
    </section>
  );
}

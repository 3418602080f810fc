import { describe, expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Notice } from './elements/notice.tsx';
import { Page } from './elements/page.tsx';
import { State, Status } from './elements/status.tsx';
import { SpeakerTimeline } from './recording/speaker-timeline.tsx';
import { Transcript } from './recording/transcript.tsx';
import { PageEvidence } from './bots/page-evidence.tsx';
import { Participants } from './bots/participants.tsx';
import type { Bot } from './bots/bot.ts';

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
];
const nothing = (): void => undefined;

/** A cache that holds the bot's files, as if they had been read. */
function clientWith(text: string): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } });
  const key = (name: string) => ['artifact', 'b1', name, 'text'];
  const present = [{ start_time: 0, end_time: 1 }];
  client.setQueryData(key('participants_file'), JSON.stringify([{ name: text, present }]));
  client.setQueryData(key('diarization'), JSON.stringify({ speaker: text, start_time: 0, end_time: 1 }));
  return client;
}

/** Elements with a text in every place that holds text of a participant, a customer or a provider. */
function elementsWith(text: string): ReactElement[] {
  const spans = [{ speaker: text, start: 0, end: 1 }];
  const bot = {
    bot_id: 'b1',
    status: 'completed',
    diarization: text,
    participants_file: text,
    participants: [{ id: 1, name: text, display_name: text, profile_picture: text }],
    speakers: [{ id: 1, name: text }],
  } as unknown as Bot;
  return [
    createElement(Transcript, {
      utterances: [
        { speaker: text, start: 0, end: 1, text, words: [] },
        { speaker: text, start: 1, end: 2, text, words: [{ text, start: 1 }] },
      ],
      second: 1,
      onSeek: nothing,
    }),
    createElement(SpeakerTimeline, {
      rows: [{ speaker: text, spans, seconds: 1 }],
      length: 1,
      second: 0,
      onSeek: nothing,
    }),
    createElement(QueryClientProvider, { client: clientWith(text) }, createElement(Participants, { bot })),
    createElement(PageEvidence, {
      evidence: {
        rule: text,
        state: text,
        page_title: text,
        page_host: text,
        steps: [{ step: text, at: '2026-11-23T10:00:00Z' }],
      },
    }),
    createElement(Status, { status: text }),
    createElement(State, { state: text }),
    createElement(Page, {
      title: text,
      children: createElement(Notice, { kind: 'fail', title: text, children: text }),
    }),
  ];
}

describe('hostile names and texts', () => {
  test.each(hostile)('%s are shown, not run', (text) => {
    const shown = elementsWith(text).map((element) => renderToStaticMarkup(element));
    const harmless = elementsWith('harmless').map((element) => renderToStaticMarkup(element));
    // The same tags with the same attributes as for a harmless text.
    expect(shown.map(tagsOf)).toEqual(harmless.map(tagsOf));
    expect(shown.join('')).not.toMatch(/href="javascript/);
    expect(harmless.map(tagsOf).flat().length).toBeGreaterThan(20);
  });
});

function tagsOf(html: string): string[] {
  return [...html.matchAll(/<(\/?\w+)((?:\s[\w-]+(?:="[^"]*")?)*)\s*\/?>/g)].map(([, name = '', attributes = '']) =>
    [name, ...[...attributes.matchAll(/\s([\w-]+)(?:="[^"]*")?/g)].map(([, attribute]) => attribute)].join(' '),
  );
}

import { describe, expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Router } from 'wouter';
import { Notice, Page } from './elements/page.tsx';
import { State, Status } from './elements/status.tsx';
import type { Role, SessionState } from './api/client.ts';
import { Action } from './elements/action.tsx';
import { Shell } from './layout/shell.tsx';
import { SessionGate } from './session/session.tsx';
import { SpeakerTimeline } from './recording/recording.tsx';
import { Transcript } from './recording/transcript.tsx';
import { PageEvidence, Participants } from './bots/bot-page.tsx';
import { FleetFacts } from './fleet/fleet.tsx';
import { PageCheckFacts } from './fleet/page-checks.tsx';
import { Found } from './search/search.tsx';
import type { Bot } from './bots/explanation.tsx';

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
];
const nothing = (): void => undefined;

/** With a session, as if it had been read. */
function signedIn(session: SessionState, element: ReactElement, path = '/'): ReactElement {
  const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, staleTime: Infinity } } });
  client.setQueryData(['session'], session);
  return createElement(QueryClientProvider, { client }, createElement(Router, { ssrPath: path, children: element }));
}

/** Elements that show a user's attributes from an identity provider. */
function identityElements(text: string): ReactElement[] {
  const teams = ['1', '2'].map((id) => ({ team_id: id, team_name: text, role: 'member' as const }));
  const session = { signed_in: true, role: 'member', user: text, team_id: '1', teams } as const;
  return [
    signedIn(session, createElement(Shell, { children: null })),
    signedIn({ ...session, teams: teams.slice(0, 1) }, createElement(Shell, { children: null })),
    signedIn({ signed_in: false, provider_name: text }, createElement(SessionGate, { children: null })),
  ];
}

/** A cache that holds the bot's files, as if they had been read. */
function clientWith(text: string): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } });
  const key = (name: string) => ['artifact', 'b1', name, 'text'];
  const present = [{ start_time: 0, end_time: 1 }];
  client.setQueryData(key('participants_file'), JSON.stringify([{ name: text, present }]));
  client.setQueryData(key('diarization'), JSON.stringify({ speaker: text, start_time: 0, end_time: 1 }));
  return client;
}

/** Page packs and a canary, with the text wherever an operator, a page or a vendor may have written it. */
function checksWith(text: string): Parameters<typeof PageCheckFacts>[0]['checks'] {
  const at = '2026-11-23T10:00:00Z';
  const step = {
    step: 'page',
    result: 'warning',
    element: text,
    candidate: { index: 1, of: 2 },
    message: text,
  } as const;
  const run = { bot_id: text, started_at: at, ended_at: at, outcome: 'failed', failed_step: 'page' } as const;
  return {
    page_packs: {
      platforms: [
        {
          platform: 'meet',
          state: 'suspended',
          version: text,
          share: 10,
          previous_version: text,
          accepted_at: at,
          suspended: { version: text, at, message: text },
        },
      ],
      refused: { reason: text, message: text, at },
      unrecognised: [
        {
          platform: 'meet',
          kind: 'waiting',
          shape: text,
          said: text,
          bots: 1,
          since: at,
          last: at,
          examples: [{ bot_id: text, page: text }],
          entry: { rule: text, text },
        },
      ],
    },
    canaries: [
      {
        name: text,
        platform: 'meet',
        interval_seconds: 900,
        next_run_at: at,
        running: false,
        runs: [{ ...run, result: { message: text, page_pack_version: text, steps: [step] } }],
      },
    ],
  };
}

/** Elements with a text in every place that shows text of a participant, a customer or a provider. */
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
      losses: { gaps: [{ start: 0, end: 1 }], video: [] },
      rows: [{ speaker: text, spans, seconds: 1 }],
      length: 1,
      second: 0,
      onSeek: nothing,
    }),
    createElement(QueryClientProvider, { client: clientWith(text) }, createElement(Participants, { bot })),
    signedIn(
      { signed_in: true },
      createElement(Found, {
        transcript: {
          bot_id: 'b1',
          bot_name: text,
          meeting_url: text,
          meeting_platform: 'meet',
          joined_at: null,
          duration_seconds: 1,
          hits: [
            {
              start: 1,
              end: 2,
              speaker: text,
              speaker_id: 1,
              snippet: [
                { text, match: true },
                { text, match: false },
              ],
            },
          ],
          more_hits: false,
        },
      }),
    ),
    signedIn(
      { signed_in: true, role: 'operator' },
      createElement(FleetFacts, {
        fleet: {
          at: '2026-11-23T10:00:00Z',
          phases: [{ phase: text, platform: text, bots: 1 }],
          capacity: {
            limit: 1,
            used: 0,
            queued: 0,
            oldestQueuedSeconds: null,
            pending: 0,
            expectedPickupSeconds: null,
            obstacles: [{ cause: text, message: text, runs: 1 }],
          },
          newestBots: 1,
          punctuality: { bots: 1, late: 0, p95Seconds: 1, mostSeconds: 1 },
          hours: [],
          days: [],
          platforms: [{ platform: text, ended: 1, failed: 1 }],
          failures: [
            {
              code: text,
              bots: 1,
              example: {
                botId: text,
                botName: text,
                teamId: text,
                teamName: text,
                endedAt: '2026-11-23T10:00:00Z',
                message: text,
              },
            },
          ],
          grafanaUrl: null,
        },
      }),
    ),
    signedIn({ signed_in: true, role: 'operator' }, createElement(PageCheckFacts, { checks: checksWith(text) })),
    createElement(PageEvidence, {
      evidence: {
        rule: text,
        state: text,
        page_title: text,
        page_host: text,
        steps: [{ step: text, at: '2026-11-23T10:00:00Z' }],
      },
    }),
    ...identityElements(text),
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

describe('a role', () => {
  const shown = (role: Role, needed?: Role) => {
    const action = {
      label: 'Leave',
      act: () => Promise.resolve(''),
      ...(needed === undefined ? {} : { role: needed }),
    };
    return renderToStaticMarkup(signedIn({ signed_in: true, role }, createElement(Action, action))) !== '';
  };

  test('is offered what it may do', () => {
    expect([shown('viewer'), shown('member'), shown('operator')]).toEqual([false, true, true]);
    expect([shown('member', 'admin'), shown('admin', 'admin')]).toEqual([false, true]);
    const menu = (role: Role) =>
      renderToStaticMarkup(signedIn({ signed_in: true, role }, createElement(Shell, { children: null })));
    expect(['Send a bot', 'Audit log'].map((section) => menu('viewer').includes(section))).toEqual([false, false]);
    expect(['Send a bot', 'Audit log'].map((section) => menu('admin').includes(section))).toEqual([true, true]);
  });

  test('reads that it does not have a page in place of its forms', () => {
    const shownAt = (path: string, role: Role): boolean =>
      renderToStaticMarkup(
        signedIn({ signed_in: true, role }, createElement(Shell, { children: 'the form' }), path),
      ).includes('the form');
    expect([shownAt('/send', 'viewer'), shownAt('/send', 'member')]).toEqual([false, true]);
    expect([shownAt('/keys', 'member'), shownAt('/keys', 'admin')]).toEqual([false, true]);
    expect([shownAt('/fleet', 'admin'), shownAt('/fleet', 'operator')]).toEqual([false, true]);
    expect([shownAt('/', 'viewer'), shownAt('/bots/b1', 'viewer'), shownAt('/no-page', 'viewer')]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

function tagsOf(html: string): string[] {
  return [...html.matchAll(/<(\/?\w+)((?:\s[\w-]+(?:="[^"]*")?)*)\s*\/?>/g)].map(([, name = '', attributes = '']) =>
    [name, ...[...attributes.matchAll(/\s([\w-]+)(?:="[^"]*")?/g)].map(([, attribute]) => attribute)].join(' '),
  );
}

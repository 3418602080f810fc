import { describe, expect, test } from '@jest/globals';
import { problemText } from './api/client.ts';
import { actionText } from './audit/audit-log.tsx';
import { botQuery } from './bots/bot-list.tsx';
import type { Bot } from './bots/explanation.tsx';
import { isLossy } from './bots/explanation.tsx';
import { stepsOf } from './bots/history.tsx';
import { noLosses } from './recording/artifact-documents.ts';
import { timedSteps } from './bots/bot-page.tsx';
import { decisionsOf, unreadableNotices } from './calendars/calendars.tsx';
import { clockOf, durationOf, localInput } from './elements/time.tsx';
import { isFinal, mayLeave, phaseOf, stateText, statusText } from './elements/status.tsx';
import { endpointState, sameFailures, resendSince } from './webhooks/webhooks.tsx';
import { emptyDraft, joinAtOf, loginProblem, requestOf } from './send/send-bot.tsx';

describe('the filters of the list of bots', () => {
  test('are what the API takes, and nothing else of the address', () => {
    const search = new URLSearchParams('status=failed&bot_name=Weekly&participant_name=&cursor=c&evil=1');
    expect(botQuery(search)).toEqual({ limit: 50, status: 'failed', bot_name: 'Weekly', cursor: 'c' });
  });

  test('take a day as it begins here', () => {
    const { created_after: from } = botQuery(new URLSearchParams('created_after=2026-11-23'));
    expect(from).toBe(new Date('2026-11-23T00:00:00').toISOString());
    expect(botQuery(new URLSearchParams('created_after=2026-99-99'))).toEqual({ limit: 50 });
    const { created_before: until } = botQuery(new URLSearchParams('created_before=2020-02-29'));
    expect(until).toBe(new Date('2020-03-01T00:00:00').toISOString());
    expect(botQuery(new URLSearchParams('created_before=2999-01-01&extra=half'))).toEqual({ limit: 50 });
    expect(botQuery(new URLSearchParams('extra=region:eu'))).toEqual({ limit: 50, extra: 'region:eu' });
  });
});

describe('the form for a bot', () => {
  const draft = { ...emptyDraft, meetingUrl: ' https://meet.google.com/abc-defg-hij ' };

  test('becomes a request without what was left empty', () => {
    expect(requestOf(draft)).toEqual({
      bot_name: 'Rapporteur',
      meeting_url: 'https://meet.google.com/abc-defg-hij',
      recording_mode: 'speaker_view',
      transcription_enabled: true,
      transcription_config: { provider: 'meeting_captions' },
    });
    expect(requestOf({ ...draft, provider: '' })).not.toHaveProperty('transcription_enabled');
    expect(requestOf({ ...draft, waitingMinutes: 20, login: 'fail', retentionDays: '7' })).toMatchObject({
      timeout_config: { waiting_room_timeout: 1_200 },
      meet_config: { fallback: 'fail' },
      retention_hours: 168,
    });
    expect(requestOf({ ...draft, provider: 'local', entryMessage: 'Hello' })).toMatchObject({
      entry_message: 'Hello',
      transcription_enabled: true,
      transcription_config: { provider: 'local' },
    });
  });

  test.each([
    ['https://meet.google.com/abc-defg-hij', 'meet_config'],
    [
      `https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=${encodeURIComponent('https://teams.live.com/meet/9312345678901?p=abcdefgh')}`,
      'teams_config',
    ],
    ['https://teams.microsoft.com/meet/2312345678901?p=abcdefgh', 'teams_config'],
    [`https://www.google.com/url?q=${encodeURIComponent('https://meet.google.com/abc-defg-hij')}`, 'meet_config'],
    ['https://meet.simulator.localhost:8443/abc-defg-hij', 'meet_config'],
    ['https://teams.simulator.localhost:8443/meet/2312345678901?p=abcdefgh', 'teams_config'],
  ])('signs in by the platform of the link %s', (meetingUrl, settings) => {
    const request = requestOf({ ...draft, meetingUrl, login: 'anonymous' });
    expect(request).toMatchObject({ [settings]: { fallback: 'anonymous' } });
    expect(Object.keys(request).filter((name) => name.endsWith('_config'))).toEqual(
      expect.arrayContaining([settings, 'transcription_config']),
    );
    expect(loginProblem({ ...draft, meetingUrl, login: 'fail' })).toBeNull();
  });

  test.each([
    ['https://us02web.zoom.us/j/81234567890?pwd=x', /^Zoom has no stored logins/],
    ['https://zoom.simulator.localhost:8443/j/81234567890', /^Zoom has no stored logins/],
    ['https://example.com/meeting', /^The meeting link is not on Zoom, Google Meet or Microsoft Teams\.$/],
    ['https://meet.example.com.evil.example/x y', /^The meeting link holds a space/],
    ['', /^The meeting link is empty\.$/],
  ])('states why the bot of %s signs in with no stored login', (meetingUrl, sentence) => {
    const signingIn = { ...draft, meetingUrl, login: 'fail' } as const;
    expect(loginProblem(signingIn)).toMatch(sentence);
    expect(requestOf(signingIn)).not.toHaveProperty('teams_config');
    expect(requestOf(signingIn)).not.toHaveProperty('meet_config');
    expect(loginProblem({ ...signingIn, login: '' })).toBeNull();
  });

  test('joins now, at the time chosen, or states that none is', () => {
    expect(joinAtOf(draft)).toBeNull();
    expect(joinAtOf({ when: 'later', joinAt: '2026-11-23T10:00' })).toBe(new Date('2026-11-23T10:00').toISOString());
    expect(() => joinAtOf({ when: 'later', joinAt: '' })).toThrow('Choose the time');
  });
});

describe('why a meeting of a calendar gets a bot', () => {
  const event = {
    event_id: 'e1',
    bot_scheduled: true,
    meeting_url: 'https://a.example',
    notices: [],
    status: 'confirmed',
  };
  const match = { event_id: 'e1', would_get_bot: true, reasons: ['Guests come from outside.', 'The owner accepted.'] };
  const other = { event_id: 'e1', would_get_bot: false, reasons: ['The title does not contain the text.'] };

  test.each([
    [
      event,
      [{ rule: 'Customers', matches: [match] }],
      'Rule “Customers”: Guests come from outside. The owner accepted.',
    ],
    [event, [{ rule: 'Customers', matches: [other] }], 'A bot was scheduled for it by request.'],
    [
      { ...event, bot_scheduled: false },
      [{ rule: 'A', matches: [other] }],
      'Rule “A”: The title does not contain the text.',
    ],
    [{ ...event, bot_scheduled: false }, [], 'There is no calendar rule, and no bot was scheduled for it.'],
    [{ ...event, bot_scheduled: false }, [{ rule: 'A', matches: [] }], 'No rule matches it.'],
    [{ ...event, meeting_url: null }, [], 'There is no meeting link in it.'],
    [
      { ...event, meeting_url: null, notices: [{ message: 'The link names a personal room.' }] },
      [],
      'The link names a personal room.',
    ],
    [{ ...event, status: 'cancelled' }, [], 'The meeting is cancelled.'],
  ])('is said: %#', (given, rules, sentence) => {
    expect(decisionsOf(given, rules)).toEqual([sentence]);
  });
});

describe('the history of a bot', () => {
  const at = (second: number): string => new Date(1_764_000_000_000 + second * 1_000).toISOString();
  const changes = [
    { code: 'joining_call', created_at: at(0) },
    { code: 'in_waiting_room', created_at: at(3), delay_message: 'It waits.' },
    { code: 'in_call_recording', created_at: at(63), start_time: 1_764_000_063 },
    { code: 'call_ended', created_at: at(103) },
  ] as unknown as Bot['status_changes'];

  test('has every status with its time, and where the recording was interrupted', () => {
    const steps = stepsOf({ status_changes: changes }, { gaps: [{ start: 10, end: 39 }], video: [] });
    expect(steps.map(({ name, afterSeconds, reason }) => [name, afterSeconds, reason])).toEqual([
      ['Joining', null, null],
      ['In the waiting room', 3, 'It waits.'],
      ['Recording', 60, null],
      ['Recording interrupted', 10, null],
      ['Recording continued', 29, null],
      ['Call ended', 1, null],
    ]);
  });

  test('has the delivery of the final event, and every event that an address did not take', () => {
    const sent = { to: 'https://a.example/', state: 'succeeded', attempts: 1, last_attempt_at: at(104), error: null };
    const steps = stepsOf({ status_changes: changes.slice(3) }, noLosses, [
      { ...sent, event: 'bot.status_change' },
      { ...sent, event: 'bot.completed', attempts: 2 },
      { ...sent, event: 'bot.completed', state: 'pending', last_attempt_at: at(105), error: 'Status 500.' },
      { ...sent, event: 'bot.status_change', state: 'failed', attempts: 8, last_attempt_at: at(106) },
      { ...sent, event: 'bot.completed', state: 'pending', attempts: 0, last_attempt_at: null },
    ]);
    expect(steps.map(({ name, reason }) => [name, reason])).toEqual([
      ['Call ended', null],
      ['bot.completed delivered', 'https://a.example/, 2 attempts'],
      ['bot.completed not delivered yet', 'https://a.example/, 1 attempt: Status 500.'],
      ['bot.status_change not delivered', 'https://a.example/, 8 attempts'],
    ]);
  });
});

describe('what a recording lacks', () => {
  const unimpaired = { audio_impaired_ms: 0, degraded_ms: 0 };
  test.each([
    [null, false],
    [{ gap_ms: 0, gap_reason: null, video_missing_ms: 0, video_missing_reason: null, ...unimpaired }, false],
    [
      { gap_ms: 499, gap_reason: 'page_lost', video_missing_ms: null, video_missing_reason: null, ...unimpaired },
      false,
    ],
    [{ gap_ms: 29_000, gap_reason: 'page_lost', video_missing_ms: 0, video_missing_reason: null, ...unimpaired }, true],
    [{ gap_ms: 0, gap_reason: null, video_missing_ms: 800, video_missing_reason: 'black', ...unimpaired }, true],
    [{ gap_ms: 0, gap_reason: null, video_missing_ms: 800, video_missing_reason: 'audio_only', ...unimpaired }, false],
  ])('is marked in the list: %#', (summary, isMarked) => {
    expect(isLossy(summary)).toBe(isMarked);
  });
});

describe('the steps of a session', () => {
  test('say the time since the step before, to a hundredth of a second', () => {
    const at = (ms: number): string => new Date(ms).toISOString();
    const steps = [0, 250, 60_250, 140_250, 140_000].map((ms, index) => ({ step: `s${index}`, at: at(ms) }));
    const after = ['—', '0.25 s', '1 min 0 s', '1 min 20 s', '0.00 s'];
    expect(timedSteps(steps)).toEqual(steps.map((step, index) => ({ ...step, after: after[index] })));
  });
});

describe('what the API refuses', () => {
  test.each([
    [
      'meeting_url: must be an https:// address, meeting_url: must match format "uri"',
      'Meeting link must be an https:// address.',
    ],
    ['join_at: It must be in the future.', 'Joins at must be in the future.'],
    [
      'bot_name: must NOT have fewer than 1 characters, extra: is required',
      'Name of the bot is empty. Extra is required.',
    ],
    ['There is no bot with this id.', 'There is no bot with this id.'],
    [`a: ${'a, a: '.repeat(1_000)}`, `a: ${'a, a: '.repeat(1_000)}`],
  ])('is said in words of the form: %#', (message, sentence) => {
    expect(problemText(message)).toBe(sentence);
  });
});

describe('a bot', () => {
  test('can leave while it is in the meeting or on its way, and no longer', () => {
    expect(['queued', 'in_waiting_room', 'in_call_recording', 'recording_paused'].every(mayLeave)).toBe(true);
    const gone = [
      'call_ended',
      'recording_succeeded',
      'awaiting_reconciliation',
      'transcribing',
      'completed',
      'failed',
    ];
    expect(gone.some(mayLeave)).toBe(false);
  });
});

describe('a webhook endpoint', () => {
  test.each([
    ['active', { enabled: true, disabled_reason: null, failing_since: null }],
    ['failing', { enabled: true, disabled_reason: null, failing_since: '2026-11-23T10:00:00Z' }],
    ['by_request', { enabled: false, disabled_reason: 'by_request', failing_since: null }],
    ['disabled_failing', { enabled: false, disabled_reason: 'failing', failing_since: '2026-11-23T10:00:00Z' }],
  ])('is %s: %j', (state, endpoint) => {
    expect(endpointState(endpoint)).toBe(state);
    expect(stateText(state)).toMatch(/^[A-Z][a-z ]+/);
  });
});

test('failed messages are sent again since a time, the oldest first, over all pages', async () => {
  const at = (minute: number) => `2026-11-23T10:${String(minute).padStart(2, '0')}:00.000Z`;
  const pages = [[9, 8], [7, 2], [1]].map((minutes) =>
    minutes.map((minute) => ({ message_id: `m${minute}`, created_at: at(minute) })),
  );
  const resent: string[] = [];
  const asked: unknown[] = [];
  const stub = {
    listWebhookMessages: (query: { cursor?: string }) => {
      asked.push(query);
      const index = Number(query.cursor ?? 0);
      return Promise.resolve({ data: pages[index], cursor: index < 2 ? String(index + 1) : null, prev_cursor: null });
    },
    resendWebhookMessage: ({ message_id: id }: { message_id: string }) => {
      resent.push(id);
      return Promise.resolve({ message: 'Sent.' });
    },
  } as unknown as Parameters<typeof resendSince>[0];
  expect(await resendSince(stub, 'e1', Date.parse(at(7)))).toEqual({ sent: 3, more: false });
  expect(resent).toEqual(['m7', 'm8', 'm9']);
  expect(asked).toHaveLength(2);
  expect(asked[0]).toMatchObject({ endpoint_id: 'e1', state: 'failed' });
});

test('messages that failed one after the other for the same reason are one group', () => {
  const message = (state: string, error: string | null) => ({ state, last_error: error });
  const list = [
    message('failed', 'status 500'),
    message('failed', 'status 500'),
    message('failed', 'no response'),
    message('succeeded', null),
    message('succeeded', null),
    message('failed', 'no response'),
  ];
  expect(sameFailures(list).map(({ length }) => length)).toEqual([2, 1, 1, 1, 1]);
});

test('a moment is shown by an input in the time zone of the browser', () => {
  expect(localInput(new Date('2026-11-03T04:05:59').toISOString())).toBe('2026-11-03T04:05');
});

test('the audit log says in words what was done', () => {
  const actions = ['createBot', 'revokeApiKey', 'admin.POST /teams/:team_id/keys', 'admin.PUT /other'];
  expect(actions.map(actionText)).toEqual(['Create bot', 'Revoke API key', 'Create an API key', 'admin.PUT /other']);
});

describe('statuses and durations', () => {
  test('are words', () => {
    expect([statusText('in_call_recording'), statusText('SOMETHING_NEW')]).toEqual(['Recording', 'something new']);
    expect(['completed', 'failed', 'in_call_recording', 'queued', 'MEET_LOGIN_REQUIRED'].map(phaseOf)).toEqual([
      'good',
      'bad',
      'recording',
      'waiting',
      'bad',
    ]);
    expect(['completed', 'failed', 'transcribing'].map(isFinal)).toEqual([true, true, false]);
  });

  test('are in the units people use', () => {
    expect([null, 3.4, 125, 3_720].map(durationOf)).toEqual(['—', '3 s', '2 min 5 s', '1 h 2 min']);
    expect([0, 65.9, 3_725].map(clockOf)).toEqual(['0:00', '1:05', '1:02:05']);
  });
});

test('events that could not be read are named with their reason, and the others counted', () => {
  const event = { provider_event_id: 'E1', reason: 'subject: it is no text' };
  expect(unreadableNotices({ unreadable_event_count: 0, unreadable_events: [] })).toEqual([]);
  expect(unreadableNotices({ unreadable_event_count: 3, unreadable_events: [event] })).toEqual([
    'Event E1 could not be read and gets no bot: subject: it is no text.',
    '2 more events could not be read.',
  ]);
});

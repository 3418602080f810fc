import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { builtInPagePack } from '../page-packs/index.ts';
import { readLines } from '../testing/page-record.ts';
import { clientPartsOf } from '../web-client/page-client.ts';
import { endReasonOf } from '../web-client/page-state.ts';

/** What a page with a string of such a key means for a bot outside of the call. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  waits: [
    'apac.errorcodes_not_start',
    'apac.wait_for_host',
    'apac.wait_for_host_webinar',
    'apac.wait_for_webinar_begin',
    'apac.wc_minimize_on_hold_msg',
    'apac.wc_put_on_hold_msg',
    'apac.wc_put_on_hold_msg2',
    'apac.wc_webinar_not_start',
    'apac.wc_meeting_not_start',
    'apac.wc_webinar_wait',
    'apac.wc_webinar_wait_host_start',
    'apac.practise_session_tip',
    'apac.waiting_room.host_lost',
  ],
  'ended-by-host': [
    'apac.dialog.gift_title5_new',
    'apac.dialog.gift_title6',
    'apac.dialog.host_end_meeting',
    'apac.dialog.host_end_webinar',
    'apac.dialog.meeting_ended',
    'apac.dialog.meeting_ended_by_admin',
    'apac.dialog.meeting_ended_by_new_meeting',
    'apac.dialog.rsgw_end_webinar',
    'apac.dialog.webinar_ended',
    'apac.dialog.webinar_ended_by_admin',
    'apac.wc_webinar_has_ended',
    'apac.errorcodes_web_unable_join_ended_simulive',
  ],
  removed: [
    'apac.dialog.meeting_removed_by_host',
    'apac.dialog.webinar_removed_by_host',
    'apac.dialog.you_are_removed',
  ],
  'removed-before': ['apac.has_been_removed_dialog.content'],
  locked: [
    'apac.dialog.meeting_cannot_join_locked',
    'apac.dialog.webinar_cannot_join_locked',
    'apac.dialog.cannot_join_locked',
  ],
  full: [
    'apac.dialog.cannot_join_reached_capacity',
    'apac.dialog.meeting_cannot_join_reached_capacity',
    'apac.dialog.meeting_capacity_reached_content_lm',
    'apac.dialog.meeting_capacity_reached_content_no_lm',
    'apac.dialog.webinar_cannot_join_reached_capacity',
    'apac.dialog.webinar_capacity_reached_content1',
    'apac.dialog.webinar_capacity_reached_content2',
    'apac.dialog.webinar_capacity_reached_content_no_lm',
  ],
  registration: ['apac.errorcodes_register'],
  passcode: [
    'apac.wc_incorrect_meeting_password_prompt',
    'apac.wc_incorrect_webinar_password_prompt',
    'apac.wc_meeting_incorrect_passcode',
  ],
  'sign-in': [
    'apac.wc_meeting_enforce_login',
    'apac.wc_webinar_enforce_login',
    'apac.wc_meeting_signin',
    'apac.wc_webinar_signin',
    'error.join.meeting.incorrect.domain.title',
    'error.join.webinar.incorrect.domain.title',
  ],
  'bots-forbidden': ['apac.preview.automated_bots_blocked', 'apac.preview.bot_detected_join_blocked_desc'],
  'browser-forbidden': ['apac.wc.block.title'],
  'policy-forbidden': ['apac.wc_join_webinar_restriction_content'],
  technical: [
    'apac.archiving.participants_title',
    'apac.errorcodes_disconnect',
    'apac.errorcodes_re_connect',
    'apac.meeting_disconnected',
    'apac.webinar_disconnected',
    'apac.wc_trying_to_reconnect',
    'apac.wc_meeting_timeout',
    'apac.wc_webianr_timeout',
    'apac.wc_timeout_network_error_body',
    'apac.dialog.connection_timeout_tip',
  ],
};
const kindOfKey = new Map(Object.entries(kinds).flatMap(([kind, keys]) => keys.map((key) => [key, kind] as const)));

/** Notices that the meeting is recorded, transcribed, streamed or archived. */
const consents =
  /^(apac\.LS\.|apac\.wc_record_|apac\.ndi\.)?.*(reminder|_consent_|being|ndi\.|LS\.|archiving\.(content2|default_title|tips))/;

const strings = stringsOfSdk();
const english = strings.get('en-US')!;

/** The string table of the installed Meeting SDK by language; the web client has the same keys. */
function stringsOfSdk(): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const sdk = createRequire(import.meta.url).resolve('@zoom/meetingsdk/package.json');
  const folder = join(dirname(sdk), 'dist/lib/lang');
  const tables = readdirSync(folder).map((file) => [
    file.replace(/\.json$/, ''),
    JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>,
  ]);
  return new Map(tables as [string, Record<string, string>][]);
}

/** As the page shows it: without markup, and with names in its gaps. */
function shown(text: string): string {
  return text.replaceAll(/<[^>]*>/g, '').replaceAll(/\$?\{\w*\}/g, 'Ada');
}

function kindOf(text: string): string {
  const { state, cause } = readLines('zoom', [shown(text)], false);
  if (state === 'lobby' || state === 'waiting-for-host') return 'waits';
  if (cause === 'denied') return state === 'left' ? 'left' : state;
  if (endReasonOf(state) === null) return cause ?? (state === 'loading' ? 'none' : state);
  return cause ?? state;
}

test('the table has the 17 languages of the client, and the keys that the bot is about', () => {
  expect(strings.size).toBe(17);
  expect([...kindOfKey.keys()].filter((key) => english[key] === undefined)).toEqual([]);
});

test.each([...kindOfKey])('%s leads to %s in English', (key, kind) => {
  expect(kindOf(english[key]!)).toBe(kind);
});

describe.each([...strings.keys()].filter((language) => language !== 'en-US'))(
  'strings of the client in %s',
  (language) => {
    // The English string is tested where nothing was translated.
    const table = Object.entries(strings.get(language)!).filter(([key, text]) => text !== english[key]);

    test('lead to no other kind than their own: what is not recognised waits by the shape of its page', () => {
      const wrong = table.flatMap(([key, text]) => {
        const wanted = kindOfKey.get(key);
        const found = wanted === undefined ? 'none' : kindOf(text);
        return found === 'none' || found === wanted ? [] : [[key, text, found, wanted]];
      });
      expect(wrong).toEqual([]);
    });

    test('lead to no end where they do not concern a bot: one in eight of them', () => {
      const ends = table.flatMap(([key, text], index) => {
        if (index % 8 !== 0 || kindOfKey.has(key) || alsoEnds(english[key] ?? '')) return [];
        const { state, rule } = readLines('zoom', [shown(text)], false);
        return endReasonOf(state) === null ? [] : [[key, text, rule]];
      });
      expect(ends).toEqual([]);
    });
  },
);

/** A string of another key that says the same in English. */
function alsoEnds(text: string): boolean {
  return endReasonOf(readLines('zoom', [shown(text)], false).state) !== null;
}

test('each notice that requires a consent is one that the bot confirms', () => {
  const { dialogs, dialogKinds } = clientPartsOf(builtInPagePack('zoom'));
  const notices = Object.entries(english).filter(([key, text]) => consents.test(key) && /being|consent/i.test(text));
  expect(notices.length).toBeGreaterThan(20);
  const unknown = notices.filter(([, text]) => {
    const dialog = { text: `${shown(text)} Leave OK`, buttons: ['Leave', 'OK'] };
    const kind = dialogKinds.find(({ applies }) => applies(dialog));
    return !dialogs.some((one) => one.text.test(dialog.text)) && kind?.press(dialog) !== 'OK';
  });
  expect(unknown).toEqual([]);
});

import { describe, expect, test } from '@jest/globals';
import { parseMeetingLink } from '@rapporteur/meeting-links';
import type { MeetingLink } from '@rapporteur/meeting-links';
import { createBotBody } from './create-bot-body.ts';
import type { CreateBotBody } from './create-bot-body.ts';
import { findUnsupported } from './unsupported-settings.ts';

const minimal = {
  bot_name: 'Rapporteur',
  meeting_url: 'https://meet.google.com/abc-defg-hij',
  recording_mode: 'speaker_view',
  entry_message: null,
  ignored_participant_names: [],
  timeout_config: {
    waiting_room_timeout: 600,
    no_one_joined_timeout: 600,
    silence_timeout: 600,
    grace_period: 0,
    max_recording_duration: null,
  },
};
const body = (over: Record<string, unknown> = {}): CreateBotBody => createBotBody.parse({ ...minimal, ...over });

function linkOf(url: string): MeetingLink {
  const answer = parseMeetingLink(url);
  if (!answer.accepted) throw new Error(answer.reason);
  return answer.link;
}
const meet = linkOf(minimal.meeting_url);
const zoom = linkOf('https://zoom.us/j/12345678901');
const teams = linkOf('https://teams.live.com/meet/9312345678901?p=abc');

describe('a create request', () => {
  test('with what this deployment can do has nothing against it', () => {
    expect(findUnsupported(body(), meet)).toBeNull();
    expect(findUnsupported(body({ recording_mode: 'audio_only', entry_message: 'Hello' }), meet)).toBeNull();
    expect(findUnsupported(body({ meet_config: { fallback: 'anonymous' } }), meet)).toBeNull();
  });

  test.each([
    ['transcription_enabled', { transcription_enabled: true }],
    ['streaming_enabled', { streaming_enabled: true }],
    ['recording_mode', { recording_mode: 'gallery_view' }],
    [
      'callback_enabled',
      { callback_enabled: true, callback_config: { url: 'https://example.com', method: 'POST', secret: null } },
    ],
    ['bot_image', { bot_image: 'https://example.com/a.png' }],
    ['bot_image', { bot_image: [] }],
  ])('that asks for %s is refused by name, in words, not accepted and dropped', (field, over) => {
    const failure = findUnsupported(body(over), meet);
    expect(failure).toMatchObject({ code: 'NOT_CONFIGURED_YET', statusCode: 422, details: `/body/${field}` });
    expect(failure?.message).toMatch(/^[A-Z].*\.$|^gallery_view .*\.$/);
  });

  test.each([
    ['Zoom', zoom],
    ['Microsoft Teams', teams],
  ])('for %s is refused until that platform can be joined', (name, link) => {
    const failure = findUnsupported(body({ meeting_url: link.joinUrl }), link);
    expect(failure).toMatchObject({ code: 'NOT_CONFIGURED_YET', details: '/body/meeting_url' });
    expect(failure?.message).toContain(name);
  });

  test('with the settings of another platform is not valid', () => {
    expect(findUnsupported(body({ alpha_config: { obf_token: 'x' } }), meet)).toMatchObject({
      code: 'VALIDATION',
      details: '/body/alpha_config',
    });
    expect(findUnsupported(body({ teams_config: {} }), meet)?.details).toBe('/body/teams_config');
  });

  test('that insists on a login fails as the specification says, because there is none', () => {
    for (const meet_config of [{}, { fallback: 'fail' }, { email_group: '', fallback: 'fail' }]) {
      expect(findUnsupported(body({ meet_config }), meet)).toMatchObject({ code: 'MEET_LOGIN_UNAVAILABLE' });
    }
  });
});

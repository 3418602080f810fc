import { expect, test } from '@jest/globals';
import { describeZoom } from './describe-zoom.ts';

test('how a bot joins Zoom is shown with every member, and never with a direct token', () => {
  const none = { credential_id: null, credential_user_id: null, obf_token_url: null, zak_token_url: null };
  expect(describeZoom({})).toEqual(none);
  expect(describeZoom({ obf_token: 'canary' })).toEqual(none);
  expect(describeZoom({ zak_token_url: 'https://a.example' })).toEqual({
    ...none,
    zak_token_url: 'https://a.example',
  });
  expect(describeZoom(null)).toBeNull();
  expect(describeZoom(undefined)).toBeNull();
});

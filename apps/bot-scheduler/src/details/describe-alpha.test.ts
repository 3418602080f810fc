import { expect, test } from '@jest/globals';
import { describeAlpha } from './describe-alpha.ts';

test('how a bot joins Zoom is shown with every member, and never with a direct token', () => {
  const none = { credential_id: null, credential_user_id: null, obf_token_url: null, zak_token_url: null };
  expect(describeAlpha({})).toEqual(none);
  expect(describeAlpha({ obf_token: 'canary' })).toEqual(none);
  expect(describeAlpha({ zak_token_url: 'https://a.example' })).toEqual({
    ...none,
    zak_token_url: 'https://a.example',
  });
  expect(describeAlpha(null)).toBeNull();
  expect(describeAlpha(undefined)).toBeNull();
});

import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'saml',
  purpose:
    '1,000 sign-ins at four independent SAML service providers, 200 mutated responses and 500 malformed requests; needs python3 and go',
  usualMinutes: 4,
  run: async ({ runSuites }) => await runSuites(['apps/sso-idp/src/saml/']),
};

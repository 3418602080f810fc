/**
 * Imports from one feature folder of an app to another that close a cycle and are still there. The list only shrinks: a pair that
 * closes no cycle any more has to go.
 */
export const acceptedFolderCycles: Readonly<Record<string, readonly string[]>> = {
  'apps/api-gateway/src': ['forwarding -> idempotency'],
  'apps/bot-scheduler/src': [
    'admission -> stored-credentials',
    'commands -> admission',
    'commands -> details',
    'lifecycle -> admission',
    'lifecycle -> commands',
    'lifecycle -> details',
    'lifecycle -> leases',
    'lifecycle -> scheduled',
    'lifecycle -> transcription',
    'lifecycle -> usage',
    'schema -> transcription',
    'secrets -> admission',
    'storage -> data-deletion',
    'stored-credentials -> launch',
    'stored-credentials -> leases',
    'stored-logins -> admission',
    'stored-logins -> leases',
    'transcription -> admission',
    'transcription -> usage',
  ],
  'apps/calendar-sync/src': [
    'bots -> rules',
    'channels -> sync',
    'connections -> channels',
    'connections -> notices',
    'connections -> sync',
    'notices -> sync',
    'schema -> rules',
  ],
  'apps/delivery/src': [
    'callback-deliveries -> legacy',
    'callback-deliveries -> messages',
    'endpoints -> messages',
    'messages -> endpoints',
    'messages -> legacy',
    'sending -> callback-deliveries',
    'sending -> messages',
  ],
  'apps/sso-idp/src': ['logins -> verification'],
  'apps/transcriber/src': ['jobs -> webhooks'],
};

const bot = { bot_name: 'Rapporteur', meeting_url: 'https://meet.google.com/abc-defg-hij' };

const oauth = { oauth_client_id: 'an-app', oauth_client_secret: 'its-secret', oauth_refresh_token: 'a-token' };
const allOccurrences = { series_id: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11', all_occurrences: true };
const login = { name: 'Bot 1', workspace_id: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11' };

/** A valid body for every operation that requires one. */
export const fittingBodies: Readonly<Record<string, unknown>> = {
  createBot: bot,
  createBots: [bot],
  preflightBot: bot,
  scheduleBot: { ...bot, join_at: '2030-01-01T09:00:00Z' },
  scheduleBots: [{ ...bot, join_at: '2030-01-01T09:00:00Z' }],
  updateScheduledBot: { bot_name: 'Renamed' },
  sendBotChatMessage: { message: 'Hello.' },
  updateBotConfig: { extra: null },
  createApiKey: { name: 'Website' },
  createWebhookEndpoint: { url: 'https://a.example/hook' },
  updateWebhookEndpoint: { enabled: false },
  createZoomCredential: { name: 'Ours', client_id: 'an-app', client_secret: 'its-secret' },
  createCalendar: { calendar_platform: 'google', ...oauth, raw_calendar_id: 'primary' },
  listRawCalendars: { calendar_platform: 'microsoft', ...oauth },
  startCalendarConsent: { calendar_platform: 'google' },
  redeemCalendarConsent: { state: 'state', code: 'code' },
  connectConsentedCalendar: { raw_calendar_id: 'primary' },
  updateCalendar: oauth,
  createCalendarBots: { ...allOccurrences, bot_name: 'Rapporteur' },
  updateCalendarBots: { ...allOccurrences, bot_name: 'Renamed' },
  deleteCalendarBots: allOccurrences,
  createCalendarRule: { name: 'All', conditions: {}, bot: { bot_name: 'Rapporteur' } },
  updateCalendarRule: { enabled: false },
  setCalendarSettings: { own_domains: ['example.com'] },
  dryRunCalendarRule: { conditions: {} },
  updateZoomCredential: { name: 'Renamed' },
  createMeetWorkspace: { domain: 'example.com', generate_keypair: true },
  updateMeetWorkspace: { name: 'Renamed' },
  createMeetLogin: { ...login, email: 'bot-1@example.com' },
  updateMeetLogin: { name: 'Renamed' },
  createTeamsWorkspace: { domain: 'example.com' },
  updateTeamsWorkspace: { name: 'Renamed' },
  createTeamsLogin: { ...login, email: 'bot-1@example.com', password: 'a password' },
  updateTeamsLogin: { name: 'Renamed' },
  putStorageConfig: {
    endpoint: 'https://s3.example.com',
    region: 'eu-central-1',
    artifacts_bucket: 'recordings',
    audio_chunks_bucket: 'recordings',
    logs_bucket: 'recordings',
    ingest_access_key_id: 'ingest',
    ingest_secret_access_key: 'its secret',
    service_access_key_id: 'service',
    service_secret_access_key: 'its secret',
  },
};

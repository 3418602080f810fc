const bot = { bot_name: 'Rapporteur', meeting_url: 'https://meet.google.com/abc-defg-hij' };

/** A body that fits, for every operation that cannot do without one. */
export const fittingBodies: Readonly<Record<string, unknown>> = {
  createBot: bot,
  createBots: [bot],
  preflightBot: bot,
  scheduleBot: { ...bot, join_at: '2030-01-01T09:00:00Z' },
  scheduleBots: [{ ...bot, join_at: '2030-01-01T09:00:00Z' }],
  updateScheduledBot: { bot_name: 'Renamed' },
  sendBotChatMessage: { message: 'Hello.' },
  updateBotConfig: { extra: null },
  createWebhookEndpoint: { url: 'https://a.example/hook' },
  updateWebhookEndpoint: { enabled: false },
  createZoomCredential: { name: 'Ours', client_id: 'an-app', client_secret: 'its-secret' },
  updateZoomCredential: { name: 'Renamed' },
};

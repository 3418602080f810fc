export { runLiveCampaign } from './live-campaign.ts';
export type { LiveCampaign, LiveCampaignResult } from './live-campaign.ts';
export { testInvocation } from './run-bot.ts';
export type { RunningBot } from './run-bot.ts';
export { mediaFolder, meetingsIn } from './simulated-meetings.ts';
export type { SimulatedMeeting, SimulatedMeetings } from './simulated-meetings.ts';
export { createGrantStore } from '../upload/grant-store.ts';
export { createMultipartStore } from '../upload/multipart-store.ts';
export { openUploads } from '../upload/open-uploads.ts';

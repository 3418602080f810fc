export { runLiveCampaign } from './live-campaign.ts';
export type { LiveCampaign, LiveCampaignResult } from './live-campaign.ts';
export { testInvocation } from './run-bot.ts';
export type { RunningBot } from './run-bot.ts';
export { mediaFolder, meetingsIn } from './simulated-meetings.ts';
export type { SimulatedMeeting, SimulatedMeetings } from './simulated-meetings.ts';

export type { Campaign, CampaignContext, CampaignResult, ProgramEnd } from './campaign.ts';

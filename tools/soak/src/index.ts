export type { Campaign } from './campaigns.ts';

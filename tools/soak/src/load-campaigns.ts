import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Campaign } from './campaign.ts';

/** Every campaign of the folder, by name. @throws Error when a file has none, or a name is a duplicate */
export async function loadCampaigns(folder = join(import.meta.dirname, 'campaigns')): Promise<Map<string, Campaign>> {
  const campaigns = new Map<string, Campaign>();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.ts')).toSorted()) {
    const { campaign } = (await import(join(folder, file))) as { campaign?: Campaign };
    if (campaign === undefined) throw new Error(`${file} exports no campaign.`);
    if (campaigns.has(campaign.name)) throw new Error(`Two campaigns are named ${campaign.name}.`);
    campaigns.set(campaign.name, campaign);
  }
  return campaigns;
}

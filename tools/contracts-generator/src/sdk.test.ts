import { describe, expect, test } from '@jest/globals';
import { publicDocument, publicOperations } from '@rapporteur/contracts/public-api';
import { sdkOperations, sdkTypes } from './sdk.ts';

const bundle = JSON.stringify(publicDocument);
const written = sdkOperations(bundle);

describe('the SDK', () => {
  test.each(publicOperations())('has a method for $id', ({ id, method, path }) => {
    expect(written).toContain(`  ${id}: { method: '${method.toUpperCase()}', path: '${path}',`);
    expect(written).toMatch(new RegExp(`^  ${id}\\(input\\??: Input<'${id}'>, options\\?: CallOptions\\)`, 'm'));
  });

  test('requests input only where the contract does', () => {
    expect(written).toContain("  listBots(input?: Input<'listBots'>");
    expect(written).toContain("  listWebhookEventTypes(input?: Input<'listWebhookEventTypes'>");
    expect(written).toContain("  createBot(input: Input<'createBot'>");
    expect(written).toContain("  leaveBot(input: Input<'leaveBot'>");
  });

  test('may leave out what has a default, and knows the items of a batch', async () => {
    const types = await sdkTypes(bundle);
    expect(types).toMatch(/allow_multiple_bots\?: boolean/);
    expect(types).toMatch(/CreateBots: components\["schemas"\]\["CreateBot"\]\[\]/);
  });

  test('knows the values of a filter, one or several', async () => {
    const types = await sdkTypes(bundle);
    for (const [name, values] of [
      ['CalendarEventStatusFilter', '"confirmed" | "cancelled" | "tentative"'],
      ['MeetingPlatformFilter', '"zoom" | "meet" | "teams"'],
    ])
      expect(types).toContain(`${name}: (${values}) | (${values})[];`);
    expect(types).toMatch(/ ExtraFilter: string;/);
  });

  test('cannot be made when a batch has no list of its items', async () => {
    const broken = bundle.replace('"x-item-schema":"CreateBot"', '"x-item-schema":"Nothing"');
    await expect(sdkTypes(broken)).rejects.toThrow('createBots has items of Nothing');
  });
});

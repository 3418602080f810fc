import { expect, test } from '@jest/globals';
import type { PageClient } from './page-client.ts';
import { PageDriver } from './page-driver.ts';
import type { PageReading, PageSnapshot } from './page-state.ts';

/** A driver of a page that reads as the test sets it. */
function driverOf() {
  const page = {
    on: () => undefined,
    isClosed: () => false,
    url: () => 'https://meet.example/',
    mainFrame: () => frame,
  };
  const frame = { evaluate: async () => ({ snapshot: {} }) };
  const shown: { reading: PageReading } = { reading: { state: 'in-call', rule: 'call' } };
  const client = { driverName: 'test', read: () => shown.reading } as unknown as PageClient<PageSnapshot>;
  const devices = { camera: false, microphone: false };
  const driver = new PageDriver<PageSnapshot>(page as never, client, devices, {} as never);
  const read = async (reading: PageReading): Promise<string> => {
    shown.reading = reading;
    return (await driver.observe()).reading.rule;
  };
  return { driver, read };
}

const call: PageReading = { state: 'in-call', rule: 'call' };
const nothing: PageReading = { state: 'loading', rule: 'nothing-known' };
const ended: PageReading = { state: 'ended-by-host', rule: 'ended-screen' };
const lost: PageReading = { state: 'loading', rule: 'lost', cause: 'technical' };

test('an end from outside the page counts in the call too, and an end that the page shows precedes it', async () => {
  const { driver, read } = driverOf();
  driver.overrule({ state: 'removed', rule: 'outside' });
  expect([await read(call), await read(nothing), await read(ended)]).toEqual(['outside', 'outside', 'ended-screen']);
});

test('one that is not certain counts while the page shows no call, until it is withdrawn', async () => {
  const { driver, read } = driverOf();
  driver.overrule({ state: 'ended-by-host', rule: 'perhaps' }, false);
  expect([await read(call), await read(nothing)]).toEqual(['call', 'perhaps']);
  driver.overrule(null);
  expect(await read(nothing)).toBe('nothing-known');
});

test('a lost connection precedes the end screen of the page, which names no cause, and yields to a certain end', async () => {
  const { driver, read } = driverOf();
  driver.overrule(lost, false);
  expect([await read(call), await read(ended)]).toEqual(['call', 'lost']);
  driver.overrule({ state: 'removed', rule: 'outside' });
  expect(await read(nothing)).toBe('outside');
});

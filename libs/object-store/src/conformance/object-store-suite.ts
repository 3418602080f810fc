import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyStore } from '../index.ts';
import type { ObjectStore } from '../index.ts';
import { describeMultipart, describeMultipartRefusals } from './multipart.ts';
import { describeKeeping, describeKeys, describeReplacing } from './keeping.ts';
import { describeDeleting, describeListing } from './listing.ts';
import { openDriver } from './open-driver.ts';
import type { DriverOptions } from './open-driver.ts';
import { keysOf } from './probes.ts';
import { describeReading } from './reading.ts';
import { describeConditions, describeKilledPut, describeRefusing } from './refusing.ts';

/**
 * The conformance suite of every driver. `prepare` starts what the driver needs and returns how to open it.
 *
 * @param properties whether a condition and its write are one step; default true
 */
export function describeObjectStore(
  name: string,
  prepare: () => Promise<DriverOptions>,
  properties: { readonly hasAtomicConditions?: boolean } = {},
): void {
  describe(`an object store on ${name}`, () => {
    let options: DriverOptions;
    let store: ObjectStore;
    const driver = { store: () => store, options: () => options };
    beforeAll(async () => {
      options = await prepare();
      store = await openDriver(options);
    }, 90_000);
    afterAll(async () => {
      await store?.close();
      await store?.close();
    });

    test('passes the check a service makes at its start, and leaves nothing of it behind', async () => {
      await verifyStore(store);
      expect(await keysOf(store, 'store-check/')).toEqual([]);
    });

    describeKeeping(driver);
    describeReplacing(driver);
    describeKeys(driver);
    describeReading(driver);
    describeRefusing(driver);
    describeConditions(driver, properties.hasAtomicConditions ?? true);
    describeKilledPut(driver);
    describeMultipart(driver);
    describeMultipartRefusals(driver);
    describeListing(driver);
    describeDeleting(driver);
  });
}

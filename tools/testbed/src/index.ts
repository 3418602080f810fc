export { createTestDatabase, testNats } from './addresses.ts';
export type { TestDatabase } from './addresses.ts';
export { startOwnNats } from './own-nats.ts';
export type { OwnNats } from './own-nats.ts';
export { waitFor } from './waiting.ts';

export { createTestDatabase, testNats } from './addresses.ts';
export type { TestDatabase } from './addresses.ts';
export { barsImage, heardTone, meanColours, readWav, tone } from './look-and-listen.ts';
export type { Colour, HeardTone } from './look-and-listen.ts';
export { startOwnNats } from './own-nats.ts';
export type { OwnNats } from './own-nats.ts';
export { serviceProcesses } from './service-process.ts';
export type { ServiceProcess, ServiceProcesses } from './service-process.ts';
export { waitFor } from './waiting.ts';

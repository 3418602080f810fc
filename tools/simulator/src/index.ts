export { startSimulator } from './simulator.ts';
export type { Simulator, SimulatorOptions } from './simulator.ts';
export type { SimulatorLog } from './log.ts';
export { faultKinds } from './rooms/faults.ts';
export { roomOptionsSchema } from './rooms/room-options.ts';
export { variantValues } from './rooms/variants.ts';
export { scenarios } from './scenarios/scenarios.ts';

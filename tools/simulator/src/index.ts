export { startSimulator } from './simulator.ts';
export type { Simulator, SimulatorOptions } from './simulator.ts';
export type { SimulatorLog } from './log.ts';

export {
  apiOf,
  batchProviders,
  defaultRegion,
  isBatchProvider,
  isLiveProvider,
  isSimulated,
  liveProviders,
  regionsOf,
  vendorAddress,
} from './providers.ts';
export type { BatchProviderName, LiveApi, LiveProviderName, ProviderName } from './providers.ts';
export { findParameterProblem } from './custom-params.ts';

export {
  apiOf,
  batchProviders,
  defaultRegion,
  isBatchProvider,
  isLiveProvider,
  isOfVendor,
  isSimulated,
  keyedLiveApis,
  keySettingOf,
  liveProviders,
  regionsOf,
  vendorAddress,
} from './providers.ts';
export type { BatchProviderName, KeySetting, LiveApi, LiveProviderName, ProviderName } from './providers.ts';
export { findParameterProblem } from './custom-params.ts';

import { readBusAddress } from '@rapporteur/event-bus';
import { proxyOf } from '@rapporteur/outbound-http';
import type { SchedulerConfig, SimulatorSettings } from '../config.ts';
import type { InvocationSettings } from './invocation.ts';

/** The settings that every runner of this deployment gets with its ticket. */
export function runnerSettingsOf(config: SchedulerConfig, simulator: SimulatorSettings | null): InvocationSettings {
  const busUrl = config.runnerBusUrl ?? config.busUrl;
  readBusAddress(busUrl, {
    caFile: config.runnerBusCaFile,
    certFile: config.runnerBusCertFile,
    keyFile: config.runnerBusKeyFile,
  });
  return {
    busUrl,
    leaseRenewMs: config.leaseRenewMs,
    leaseLostAfterMs: config.leaseLostAfterMs,
    rejoinsAfterFailure: config.rejoinsAfterFailure,
    simulator,
    outbound: {
      allow: [...config.runnerAllowedAddresses],
      requireHttps: config.runnerRequireHttps,
      caFile: config.runnerCaFile ?? null,
      proxy: proxyOf({
        httpProxy: config.runnerHttpProxy,
        httpsProxy: config.runnerHttpsProxy,
        noProxy: config.runnerNoProxy,
      }),
    },
    recording: config,
  };
}

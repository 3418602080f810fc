import type { OutboundHttp } from './outbound-http.ts';

/**
 * Latency of the providers that a service uses, by their names; libs/service-runtime declares it.
 */
export function providerMetricsOf<Name extends string>(provider: readonly Name[]) {
  return {
    providerRequests: {
      type: 'histogram',
      name: 'rapporteur_provider_request_duration_seconds',
      unit: 'seconds',
      help: 'Time of one request to a provider (calendar, transcription, Zoom), by outcome: succeeded, refused (4xx), failed (5xx), unreachable.',
      labels: { provider, outcome: ['succeeded', 'refused', 'failed', 'unreachable'] },
    },
  } as const;
}

export interface ProviderMeasurements {
  readonly providerRequests: {
    observe(labels: { readonly provider: string; readonly outcome: string }, value: number): void;
  };
}

/** The same requests, each measured for this provider. */
export function measureRequests(
  http: Pick<OutboundHttp, 'request'>,
  provider: string,
  { providerRequests }: ProviderMeasurements,
): Pick<OutboundHttp, 'request'> {
  return {
    request: async (request) => {
      const startedAt = performance.now();
      let outcome = 'unreachable';
      try {
        const response = await http.request(request);
        outcome = response.status >= 500 ? 'failed' : response.status >= 400 ? 'refused' : 'succeeded';
        return response;
      } finally {
        providerRequests.observe({ provider, outcome }, (performance.now() - startedAt) / 1_000);
      }
    },
  };
}

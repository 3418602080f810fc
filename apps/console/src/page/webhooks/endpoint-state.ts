import { api } from '../api/client.ts';

interface Endpoint {
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly failing_since: string | null;
}

/** An endpoint to which nothing can be delivered is not active, although it is enabled. */
export function endpointState({ enabled, disabled_reason: reason, failing_since: since }: Endpoint): string {
  if (enabled) return since === null ? 'active' : 'failing';
  return reason === 'failing' ? 'disabled_failing' : (reason ?? 'by_request');
}

const waitMs = 15_000;
const pollMs = 500;

/** Waits for the one attempt of a test event, and returns its result as a sentence. */
export async function testResult(id: { readonly endpoint_id: string; readonly message_id: string }): Promise<string> {
  const until = Date.now() + waitMs;
  while (Date.now() < until) {
    const [attempt] = await api.listWebhookAttempts(id);
    if (attempt !== undefined) {
      if (attempt.outcome === 'succeeded') return `The test event arrived: status ${attempt.status_code}.`;
      throw new Error(`The test event did not arrive: ${attempt.error ?? `status ${attempt.status_code}`}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return 'The test event is not delivered yet. Its attempt is listed with the endpoint.';
}

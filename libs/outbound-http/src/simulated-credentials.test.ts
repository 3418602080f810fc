import { expect, test } from '@jest/globals';
import { bySimulatedCredentials } from './simulated-credentials.ts';

const platform = (name: string) => ({
  lifetimeMs: 7,
  refresh: (app: { readonly clientId: string }, refreshToken: string) => `${name} ${app.clientId} ${refreshToken}`,
  read: (accessToken: string) => `${name} ${accessToken}`,
});

test('a real credential never reaches the simulator, and one of the simulator never reaches the platform', () => {
  const both = bySimulatedCredentials(platform('real'), platform('simulated'));
  expect(both.read('ya29.token')).toBe('real ya29.token');
  expect(both.read('simulated-access-1')).toBe('simulated simulated-access-1');
  expect(both.refresh({ clientId: 'customer.apps' }, 'simulated-refresh')).toBe('real customer.apps simulated-refresh');
  expect(both.refresh({ clientId: 'simulated-google-client' }, 'r')).toBe('simulated simulated-google-client r');
  expect(both.lifetimeMs).toBe(7);
});

test('without a simulator everything goes to the platform', () => {
  expect(bySimulatedCredentials(platform('real'), null).read('simulated-access-1')).toBe('real simulated-access-1');
});

import type { api } from '../api/client.ts';

export type Bot = Awaited<ReturnType<typeof api.getBot>>;

export type KeyState = 'active' | 'expired' | 'revoked';

interface Ends {
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
}

export function keyState({ revoked_at: revoked, expires_at: expires }: Ends, now: number): KeyState {
  if (revoked !== null) return 'revoked';
  return expires !== null && Date.parse(expires) <= now ? 'expired' : 'active';
}

import type { Permission } from '@rapporteur/service-runtime';

/** Specification part 5: Full Access may call everything, Sending Access only what is marked as open to it. */
export function permits(held: Permission, needed: Permission): boolean {
  return held === 'full' || needed === 'sending';
}

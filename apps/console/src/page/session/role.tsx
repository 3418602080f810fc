import type { ReactNode } from 'react';
import type { Role } from '../api/client.ts';
import { useSession } from './use-session.ts';

const order: readonly Role[] = ['viewer', 'member', 'admin', 'operator'];

/** Whether the signed-in user or key has at least this role; the API decides again. */
export function useMay(role: Role): boolean {
  const { data } = useSession();
  return data?.role !== undefined && order.indexOf(data.role) >= order.indexOf(role);
}

/** Shows its content to users and keys with at least this role. */
export function For({ role, children }: { readonly role: Role; readonly children: ReactNode }) {
  return useMay(role) ? children : null;
}

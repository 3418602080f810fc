import type { ReactNode } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Role, SessionState } from '../api/client.ts';
import { callSession } from '../api/client.ts';

const sessionKey = ['session'];

/** Roles are confirmed every half minute, and the page adapts. */
const confirmMs = 30_000;

export function useSession() {
  return useQuery({
    queryKey: sessionKey,
    queryFn: () => callSession('GET'),
    staleTime: confirmMs,
    refetchInterval: ({ state }) => (state.data?.user === undefined ? false : confirmMs),
  });
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (apiKey: string) => callSession('POST', { api_key: apiKey }),
    onSuccess: (state) => client.setQueryData<SessionState>(sessionKey, state),
  });
}

export function useChooseTeam() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (teamId: string) => callSession('POST', { team_id: teamId }, '/team'),
    onSuccess: (state) => {
      client.setQueryData<SessionState>(sessionKey, state);
      // Removes all data of the other team.
      return client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    },
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callSession('DELETE'),
    onSuccess: (state) => {
      // The gate unmounts the console first, so that no query refetches what is then removed from the cache.
      client.setQueryData<SessionState>(sessionKey, state);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
      if (state.sign_out_url !== undefined) globalThis.location.assign(state.sign_out_url);
    },
  });
}

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

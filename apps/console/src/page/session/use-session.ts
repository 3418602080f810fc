import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callSession } from '../api/client.ts';
import type { SessionState } from '../api/client.ts';

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

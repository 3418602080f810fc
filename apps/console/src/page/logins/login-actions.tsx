import type { LoginPlatform } from '@rapporteur/contracts/platforms';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';

interface Login {
  readonly credential_id: string;
  readonly email: string;
  readonly state: string;
}

/** Reactivates a login after its cause is corrected, and removes it. */
export function LoginActions({ login, platform }: { readonly login: Login; readonly platform: LoginPlatform }) {
  const id = { credential_id: login.credential_id };
  return (
    <span className="buttons">
      {login.state === 'invalid' && (
        <Action
          role="admin"
          label="Activate"
          about={login.email}
          act={async () => {
            const change = { ...id, body: { state: 'active' as const } };
            await (platform === 'meet' ? api.updateMeetLogin(change) : api.updateTeamsLogin(change));
            return 'Bots use it again.';
          }}
        />
      )}
      <Action
        role="admin"
        label="Delete"
        about={login.email}
        kind="danger"
        confirm={{
          title: `Delete the login ${login.email}?`,
          text: 'Bots no longer sign in with it.',
          button: 'Delete the login',
        }}
        act={async () => {
          await (platform === 'meet' ? api.deleteMeetLogin(id) : api.deleteTeamsLogin(id));
          return 'The login is deleted.';
        }}
      />
    </span>
  );
}

export function DeleteWorkspace({
  workspace,
}: {
  readonly workspace: { readonly workspace_id: string; readonly domain: string };
}) {
  return (
    <Action
      role="admin"
      label="Delete"
      about={workspace.domain}
      kind="danger"
      confirm={{
        title: `Delete the domain ${workspace.domain}?`,
        text: 'Its logins and their secrets are deleted with it.',
        button: 'Delete the domain',
      }}
      act={async () => {
        await api.deleteMeetWorkspace({ workspace_id: workspace.workspace_id });
        return 'The domain is deleted.';
      }}
    />
  );
}

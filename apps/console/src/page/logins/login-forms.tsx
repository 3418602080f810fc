import type { LoginPlatform } from '@rapporteur/contracts/platforms';
import { api } from '../api/client.ts';
import { ActionForm } from '../elements/action-form.tsx';
import { Field, textOf } from '../elements/field.tsx';

interface Workspace {
  readonly workspace_id: string;
  readonly domain: string;
}

/**
 * Registers a Google Workspace domain with a key that the service creates, and shows what to enter in Google's Admin
 * console.
 */
export function AddMeetWorkspace() {
  return (
    <ActionForm
      role="admin"
      title="Register a Google Workspace domain"
      button="Register it"
      act={async (form) => {
        const domain = textOf(form, 'domain');
        const made = await api.createMeetWorkspace({ body: { domain, generate_keypair: true } });
        return (
          <>
            <p>{domain} is registered. Enter this in the SSO profile of its Admin console, then press Verify:</p>
            <dl className="facts">
              <dt>IDP entity ID</dt>
              <dd className="breaks">{made.idp_entity_id}</dd>
              <dt>Sign-in page URL</dt>
              <dd className="breaks">{made.sign_in_url}</dd>
              <dt>Sign-out page URL</dt>
              <dd className="breaks">{made.sign_out_url}</dd>
              <dt>Certificate</dt>
              <dd>
                <pre tabIndex={0} aria-label={`Certificate of ${domain}`}>
                  {made.cert_pem}
                </pre>
              </dd>
            </dl>
          </>
        );
      }}
    >
      <Field label="Domain">
        <input name="domain" required maxLength={253} placeholder="bots.example.com" spellCheck={false} />
      </Field>
    </ActionForm>
  );
}

export function AddTeamsWorkspace() {
  return (
    <ActionForm
      role="admin"
      title="Register a Microsoft 365 tenant"
      button="Register it"
      act={async (form) => {
        const { domain } = await api.createTeamsWorkspace({ body: { domain: textOf(form, 'domain') } });
        return `${domain} is registered.`;
      }}
    >
      <Field label="Primary domain">
        <input name="domain" required maxLength={253} placeholder="example.onmicrosoft.com" spellCheck={false} />
      </Field>
    </ActionForm>
  );
}

/** Adds an account with which bots sign in. Those of Teams have a password. */
export function AddLogin({
  platform,
  workspaces,
}: {
  readonly platform: LoginPlatform;
  readonly workspaces: readonly Workspace[];
}) {
  if (workspaces.length === 0) return null;
  return (
    <ActionForm
      role="admin"
      title="Add a login"
      button="Add the login"
      act={async (form) => {
        const group = textOf(form, 'email_group');
        const body = {
          email: textOf(form, 'email'),
          name: textOf(form, 'name'),
          workspace_id: textOf(form, 'workspace_id'),
          ...(group === '' ? {} : { email_group: group }),
        };
        if (platform === 'meet') await api.createMeetLogin({ body });
        else await api.createTeamsLogin({ body: { ...body, password: textOf(form, 'password') } });
        return `${body.email} is added.`;
      }}
    >
      <Field label="Workspace">
        <select name="workspace_id">
          {workspaces.map(({ workspace_id: id, domain }) => (
            <option key={id} value={id}>
              {domain}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Email">
        <input name="email" type="email" required maxLength={254} autoComplete="off" />
      </Field>
      <Field label="Name" hint="As the meeting shows it.">
        <input name="name" required maxLength={255} />
      </Field>
      {platform === 'teams' && (
        <Field label="Password">
          <input name="password" type="password" required maxLength={1_024} autoComplete="off" />
        </Field>
      )}
      <Field label="Group" hint="Optional: an address that selects several logins.">
        <input name="email_group" type="email" maxLength={254} autoComplete="off" />
      </Field>
    </ActionForm>
  );
}

import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { Action, ActionForm } from '../elements/action.tsx';
import { Field, textOf } from '../elements/field.tsx';
import { Reference } from '../elements/page.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';

type Credential = Awaited<ReturnType<typeof api.listZoomCredentials>>['data'][number];

/** Stored apps and authorisations with which bots join Zoom meetings. */
export function ZoomCredentials() {
  const credentials = useQuery({
    queryKey: ['zoom-credentials'],
    queryFn: ({ signal }) => api.listZoomCredentials({ limit: 100 }, { signal }),
  });
  return (
    <section className="card">
      <h2>Zoom credentials</h2>
      <QueryResult query={credentials}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No credentials yet">
              Bots of a Zoom app, and bots on behalf of a user, need one. See <Reference to="zoom">the guide</Reference>
              .
            </EmptyState>
          ) : (
            <ul className="meetings">
              {data.map((credential) => (
                <CredentialItem key={credential.credential_id} credential={credential} />
              ))}
            </ul>
          )
        }
      </QueryResult>
      <AddCredential />
    </section>
  );
}

function CredentialItem({ credential }: { readonly credential: Credential }) {
  const { name, zoom_email: email, zoom_display_name: user } = credential;
  return (
    <li>
      <div className="message-head">
        <strong className="breaks">{name}</strong>
        <State state={credential.state} />
        <span>
          {credential.credential_type === 'app'
            ? 'meetings of its own account'
            : `on behalf of ${user ?? email ?? 'a user'}`}
        </span>
        <Action
          role="admin"
          label="Delete"
          about={name}
          kind="danger"
          confirm={{
            title: `Delete the credential “${name}”?`,
            text: 'Bots that name it are refused from now on.',
            button: 'Delete the credential',
          }}
          act={async () => {
            await api.deleteZoomCredential({ credential_id: credential.credential_id });
            return 'The credential is deleted.';
          }}
        />
      </div>
      {credential.last_error_message !== null && <p className="hint">{credential.last_error_message}</p>}
    </li>
  );
}

function AddCredential() {
  const act = async (form: FormData): Promise<string> => {
    const [code, redirect] = [textOf(form, 'authorization_code'), textOf(form, 'redirect_uri')];
    const { name } = await api.createZoomCredential({
      body: {
        name: textOf(form, 'name'),
        client_id: textOf(form, 'client_id'),
        client_secret: textOf(form, 'client_secret'),
        ...(code === '' ? {} : { authorization_code: code }),
        ...(redirect === '' ? {} : { redirect_uri: redirect }),
      },
    });
    return `The credential “${name}” is stored.`;
  };
  return (
    <ActionForm role="admin" title="Store a Zoom credential" button="Store it" act={act}>
      <Field label="Name">
        <input name="name" required maxLength={255} />
      </Field>
      <Field label="Client id of the app">
        <input name="client_id" required maxLength={255} autoComplete="off" spellCheck={false} />
      </Field>
      <Field label="Client secret">
        <input name="client_secret" type="password" required maxLength={512} autoComplete="off" />
      </Field>
      <Field
        label="Authorization code"
        hint="Of the user for whom bots join. Left empty: bots join meetings of the app's own account."
      >
        <input name="authorization_code" maxLength={2_000} autoComplete="off" spellCheck={false} />
      </Field>
      <Field label="Redirect address of the code">
        <input name="redirect_uri" type="url" maxLength={2_000} autoComplete="off" spellCheck={false} />
      </Field>
    </ActionForm>
  );
}

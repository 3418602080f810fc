import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { Deletion } from '../elements/action.tsx';
import { Form } from '../elements/form.tsx';
import type { BodyOf, Fields } from '../elements/form.tsx';
import { Reference } from '../elements/page.tsx';
import { List } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';

type Credential = Awaited<ReturnType<typeof api.listZoomCredentials>>['data'][number];

/** Stored apps and authorisations with which bots join Zoom meetings. */
export function ZoomCredentials() {
  const credentials = useQuery({
    queryKey: ['zoom-credentials'],
    queryFn: async ({ signal }) => (await api.listZoomCredentials({ limit: 100 }, { signal })).data,
  });
  return (
    <section className="card">
      <h2>Zoom credentials</h2>
      <List
        query={credentials}
        empty={[
          'No credentials yet',
          <>
            Bots of a Zoom app, and bots on behalf of a user, need one. See <Reference to="zoom">the guide</Reference>.
          </>,
        ]}
      >
        {(list) => (
          <ul className="meetings">
            {list.map((credential) => (
              <CredentialItem key={credential.credential_id} credential={credential} />
            ))}
          </ul>
        )}
      </List>
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
        <Deletion
          what="the credential"
          name={name}
          text="Bots that name it are refused from now on."
          act={() => api.deleteZoomCredential({ credential_id: credential.credential_id })}
        />
      </div>
      {credential.last_error_message !== null && <p className="hint">{credential.last_error_message}</p>}
    </li>
  );
}

const fields: Fields<'createZoomCredential'> = [
  { name: 'name', label: 'Name' },
  { name: 'client_id', label: 'Client id of the app' },
  { name: 'client_secret', label: 'Client secret', type: 'secret' },
  {
    name: 'authorization_code',
    label: 'Authorization code',
    hint: "Of the user for whom bots join. Left empty: bots join meetings of the app's own account.",
    empty: 'absent',
  },
  { name: 'redirect_uri', label: 'Redirect address of the code', type: 'url', empty: 'absent' },
];

function AddCredential() {
  return (
    <Form
      role="admin"
      title="Store a Zoom credential"
      button="Store it"
      fields={fields}
      send={async (body: BodyOf<'createZoomCredential'>) =>
        `The credential “${(await api.createZoomCredential({ body })).name}” is stored.`
      }
    />
  );
}

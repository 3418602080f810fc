import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '@rapporteur/sdk';
import { api, sentenceOf } from '../api/client.ts';
import { Field, textOf } from '../elements/field.tsx';
import { Notice } from '../elements/notice.tsx';
import { fieldsOf, requestFrom } from './storage-fields.ts';

/** Sets or replaces the storage configuration; the API accepts it only after it has used both keys. */
export function StorageForm({ config }: { readonly config: components['schemas']['StorageConfig'] | null }) {
  const client = useQueryClient();
  const put = useMutation({
    mutationFn: (body: components['schemas']['PutStorageConfig']) => api.putStorageConfig({ body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['storage'] }),
  });
  return (
    <section className="card">
      <h2>{config === null ? 'Use buckets of your own' : 'Replace the configuration'}</h2>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          put.mutate(requestFrom((name) => textOf(form, name)));
        }}
      >
        {fieldsOf(config).map(({ name, label, hint, value, type, maxLength }) => (
          <Field key={name} label={label} {...(hint === undefined ? {} : { hint })}>
            <input
              name={name}
              type={type}
              required
              maxLength={maxLength}
              defaultValue={value}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        ))}
        <label>
          <input type="checkbox" name="force_path_style" defaultChecked={config?.force_path_style ?? false} />{' '}
          Path-style addresses, as most self-hosted object stores need them
        </label>
        <label>
          <input type="checkbox" name="allow_transient_spill" defaultChecked={config?.allow_transient_spill ?? false} />{' '}
          The service may hold a file that the bucket does not take, until it does; without this, such a file is lost
        </label>
        {put.isError && (
          <Notice kind="fail" title="The configuration is not changed">
            {sentenceOf(put.error)}
          </Notice>
        )}
        <div className="buttons">
          <button type="submit" className="primary" disabled={put.isPending}>
            {put.isPending ? 'Checking the access…' : 'Check and save'}
          </button>
        </div>
      </form>
    </section>
  );
}

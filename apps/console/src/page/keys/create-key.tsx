import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../api/client.ts';
import { Field, textOf } from '../elements/field.tsx';
import { Notice } from '../elements/notice.tsx';

/** Creates a key, and shows its text once. */
export function CreateKey() {
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (form: FormData) => {
      const day = textOf(form, 'expires');
      return api.createApiKey({
        body: {
          name: textOf(form, 'name'),
          permission: textOf(form, 'permission') === 'sending' ? 'sending' : 'full',
          expires_at: day === '' ? null : new Date(`${day}T00:00:00`).toISOString(),
        },
      });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  return (
    <section className="card">
      <h2>Create a key</h2>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          create.mutate(new FormData(form), { onSuccess: () => form.reset() });
        }}
      >
        <Field label="Name" hint="The program that uses it.">
          <input name="name" required maxLength={50} placeholder="Website" />
        </Field>
        <Field label="Permission">
          <select name="permission">
            <option value="full">Full access</option>
            <option value="sending">Sends bots only</option>
          </select>
        </Field>
        <Field label="Expires on" hint="Left empty: never.">
          <input name="expires" type="date" />
        </Field>
        {create.isError && (
          <Notice kind="fail" title="The key was not created">
            {sentenceOf(create.error)}
          </Notice>
        )}
        {create.isSuccess && (
          <Notice kind="pass" title="The key is created. Copy it now: it is not shown again.">
            <code className="breaks">{create.data.api_key}</code>
          </Notice>
        )}
        <div className="buttons">
          <button type="submit" className="primary" disabled={create.isPending}>
            Create the key
          </button>
        </div>
      </form>
    </section>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../api/client.ts';
import { Field, textOf } from '../elements/field.tsx';
import { Notice } from '../elements/notice.tsx';

/** Adds an endpoint for all events, and shows its secret once. */
export function AddEndpoint() {
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: ({ url, name }: { url: string; name: string }) =>
      api.createWebhookEndpoint({ body: { url, ...(name === '' ? {} : { name }) } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['endpoints'] }),
  });
  return (
    <section className="card">
      <h2>Add an endpoint</h2>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const given = new FormData(form);
          add.mutate({ url: textOf(given, 'url'), name: textOf(given, 'name') }, { onSuccess: () => form.reset() });
        }}
      >
        <Field label="Address">
          <input name="url" type="url" required placeholder="https://example.com/hooks/rapporteur" />
        </Field>
        <Field label="Name">
          <input name="name" maxLength={100} placeholder="Optional" />
        </Field>
        {add.isError && <Notice kind="fail">{sentenceOf(add.error)}</Notice>}
        {add.isSuccess && (
          <Notice kind="pass" title="The endpoint is added. Keep its secret now: it is not shown again.">
            <code className="breaks">{add.data.secret}</code>
          </Notice>
        )}
        <div className="buttons">
          <button type="submit" className="primary" disabled={add.isPending}>
            Add the endpoint
          </button>
        </div>
      </form>
    </section>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sentenceOf } from '../api/client.ts';
import type { Role } from '../api/client.ts';
import { For } from '../session/role.tsx';
import { Notice } from './notice.tsx';

interface ActionFormProps {
  /** The element that opens the form. */
  readonly title: string;
  readonly button: string;
  /** Calls the API with the form's data; resolves with a sentence about the result. */
  readonly act: (form: FormData) => Promise<ReactNode>;
  /** Lowest role to which it is shown; the API decides again. */
  readonly role?: Role;
  /** Keeps the entered values: for forms that change an object. */
  readonly keeps?: boolean;
  readonly children?: ReactNode;
}

/** A form behind its title that calls the API once, shows the result, and reloads the page's data. */
export function ActionForm({ title, button, act, role = 'member', keeps = false, children }: ActionFormProps) {
  const client = useQueryClient();
  const call = useMutation({ mutationFn: act, onSuccess: () => client.invalidateQueries() });
  return (
    <For role={role}>
      <details className="action-form">
        <summary>{title}</summary>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            const form = event.currentTarget;
            call.mutate(new FormData(form), { onSuccess: () => (keeps ? undefined : form.reset()) });
          }}
        >
          {children}
          {call.isError && <Notice kind="fail">{sentenceOf(call.error)}</Notice>}
          {call.isSuccess && <Notice kind="pass">{call.data}</Notice>}
          <div className="buttons">
            <button type="submit" className="primary" disabled={call.isPending}>
              {call.isPending ? 'One moment…' : button}
            </button>
          </div>
        </form>
      </details>
    </For>
  );
}

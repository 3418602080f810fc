import { Dialog, DialogDismiss, DialogHeading } from '@ariakit/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { sentenceOf } from '../api/client.ts';
import type { Role } from '../api/client.ts';
import { For } from '../session/role.tsx';
import { Notice } from './notice.tsx';

interface ActionProps {
  readonly label: string;
  /** Resolves with a sentence about the result. */
  readonly act: () => Promise<string>;
  /** Confirmation, where the action cannot be undone. */
  readonly confirm?: { readonly title: string; readonly text: ReactNode; readonly button: string };
  readonly kind?: 'danger' | 'primary';
  /** Lowest role to which it is shown; the API decides again. */
  readonly role?: Role;
  /** For screen readers, where several buttons have the same label. */
  readonly about?: string;
}

/** A button that calls the API once, shows the result, and reloads the page's data. */
export function Action({ role = 'member', ...action }: ActionProps) {
  return (
    <For role={role}>
      <ActionButton {...action} />
    </For>
  );
}

function ActionButton({ label, act, confirm, kind, about }: Omit<ActionProps, 'role'>) {
  const [isOpen, setOpen] = useState(false);
  // Pressing Return twice must never confirm: the focus starts on the cancel button.
  const cancel = useRef<HTMLButtonElement>(null);
  const client = useQueryClient();
  const call = useMutation({
    mutationFn: act,
    onSettled: () => {
      setOpen(false);
      return client.invalidateQueries();
    },
  });
  return (
    <span className="action">
      <button
        type="button"
        className={kind}
        disabled={call.isPending}
        aria-label={about === undefined ? undefined : `${label}: ${about}`}
        onClick={() => (confirm === undefined ? call.mutate() : setOpen(true))}
      >
        {label}
      </button>
      {confirm !== undefined && (
        <Dialog
          open={isOpen}
          onClose={() => setOpen(false)}
          initialFocus={cancel}
          className="dialog"
          backdrop={<div className="backdrop" />}
        >
          <DialogHeading className="breaks">{confirm.title}</DialogHeading>
          <div className="breaks">{confirm.text}</div>
          <div className="buttons">
            <DialogDismiss ref={cancel}>Keep it as it is</DialogDismiss>
            <button type="button" className={kind} disabled={call.isPending} onClick={() => call.mutate()}>
              {confirm.button}
            </button>
          </div>
        </Dialog>
      )}
      {call.isError && <Notice kind="fail">{sentenceOf(call.error)}</Notice>}
      {call.isSuccess && <Notice kind="pass">{call.data}</Notice>}
    </span>
  );
}

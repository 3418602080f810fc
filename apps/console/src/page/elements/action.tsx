import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState, useRef } from 'react';
import { Dialog, DialogDismiss, DialogHeading } from '@ariakit/react';
import { sentenceOf } from '../api/client.ts';
import type { Role } from '../api/client.ts';
import { For } from '../session/use-session.tsx';
import { Notice } from './page.tsx';

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
      // No action changes an artifact, and the one that deletes them would have them requested once more.
      return client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'artifact' });
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

/** Copies a text to the clipboard, and states whether it did. */
export function Copy({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [result, setResult] = useState('');
  const copy = (): void =>
    void navigator.clipboard.writeText(text()).then(
      () => setResult('Copied.'),
      () => setResult('The browser does not permit it.'),
    );
  return (
    <span>
      <button type="button" onClick={copy}>
        {label}
      </button>{' '}
      <span role="status" className="hint">
        {result}
      </span>
    </span>
  );
}

/** A browser reads the file as soon as the download begins. */
const releaseMs = 10_000;

/** Downloads a text as a file. */
export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), releaseMs);
}

interface DeletionProps {
  /** `the login` */
  readonly what: string;
  readonly name: string;
  /** What follows from it. */
  readonly text: ReactNode;
  readonly act: () => Promise<unknown>;
  readonly role?: Role;
}

/** Deletes an object after a confirmation that names it. */
export function Deletion({ what, name, text, act, role = 'admin' }: DeletionProps) {
  return (
    <Action
      role={role}
      label="Delete"
      about={name}
      kind="danger"
      confirm={{ title: `Delete ${what} “${name}”?`, text, button: `Delete ${what}` }}
      act={async () => {
        await act();
        return `${what.charAt(0).toUpperCase()}${what.slice(1)} is deleted.`;
      }}
    />
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RapporteurClient } from '@rapporteur/sdk';
import type { ReactElement, ReactNode } from 'react';
import { sentenceOf } from '../api/client.ts';
import type { Role } from '../api/client.ts';
import { For } from '../session/use-session.tsx';
import { Notice } from './page.tsx';
import { timeZone } from './time.tsx';

/** A labelled control. */
export function Field({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <label className="field">
      <span>{label}</span>
      {children}
      {hint !== undefined && <span className="hint">{hint}</span>}
    </label>
  );
}

/** The value of a form field, trimmed. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The request body of an operation of the API. */
export type BodyOf<Operation extends keyof RapporteurClient> = RapporteurClient[Operation] extends (
  input: infer Input,
  ...more: never[]
) => unknown
  ? Extract<Input, { body?: unknown }>['body'] & {}
  : never;

/** A field of a form, with the name that it has in the request body. */
export interface FormField<Name extends string = string> {
  readonly name: Name;
  readonly label: string;
  readonly hint?: string;
  /** Default: text. `secret` is neither shown nor filled in by the browser; `check` is a box; `area` has lines. */
  readonly type?: 'url' | 'email' | 'secret' | 'number' | 'date' | 'datetime-local' | 'check' | 'area';
  /** Values and labels, or elements. */
  readonly options?: readonly (readonly [value: string, label: string])[] | ReactElement;
  /** What an empty field is in the body; default: it must be filled in. */
  readonly empty?: 'absent' | null | '';
  /** The present value. */
  readonly value?: string | number | boolean | null;
  readonly placeholder?: string;
  readonly max?: number;
}

export type Fields<Operation extends keyof RapporteurClient> = readonly FormField<keyof BodyOf<Operation> & string>[];

/** The form's data as a request body: times as instants, and what is empty as the field says. */
export function bodyOf(fields: readonly FormField[], form: FormData): Record<string, unknown> {
  const values = fields.map(({ name, type, empty }): readonly [string, unknown] => {
    const text = textOf(form, name);
    if (type === 'check') return [name, form.has(name)];
    if (text === '') return [name, empty === undefined ? '' : empty === 'absent' ? undefined : empty];
    if (type === 'number') return [name, Number(text)];
    return [name, type === 'date' || type === 'datetime-local' ? instantOf(type, text) : text];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** A day begins at midnight of the browser's time zone. */
function instantOf(type: 'date' | 'datetime-local', text: string): string {
  return new Date(type === 'date' ? `${text}T00:00:00` : text).toISOString();
}

interface FormProps<Body> {
  readonly title: string;
  readonly button: string;
  readonly fields: readonly FormField<keyof Body & string>[];
  /** Calls the API; resolves with the result for the user. `form` has what the body lacks. */
  readonly send: (body: Body, form: FormData) => Promise<ReactNode>;
  /** Lowest role to which it is shown; the API decides again. */
  readonly role?: Role;
  /** Shown at once; else behind its title. */
  readonly isOpen?: boolean;
  /** Keeps the entered values: for forms that change an object. */
  readonly keeps?: boolean;
  readonly children?: ReactNode;
}

/** A form whose fields are those of a request body: it calls the API once, shows the result, and reloads the data. */
export function Form<Body extends object>(props: FormProps<Body>) {
  const { title, button, fields, send, role = 'member', isOpen = false, keeps = false, children } = props;
  const client = useQueryClient();
  const call = useMutation({
    mutationFn: (form: FormData) => send(bodyOf(fields, form) as Body, form),
    onSuccess: () => client.invalidateQueries(),
  });
  const form = (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const target = event.currentTarget;
        call.mutate(new FormData(target), { onSuccess: () => (keeps ? undefined : target.reset()) });
      }}
    >
      {fields.map((field) => (
        <Control key={field.name} field={field} />
      ))}
      {children}
      {call.isError && <Notice kind="fail">{sentenceOf(call.error)}</Notice>}
      {call.isSuccess && <Notice kind="pass">{call.data}</Notice>}
      <div className="buttons">
        <button type="submit" className="primary" disabled={call.isPending}>
          {call.isPending ? 'One moment…' : button}
        </button>
      </div>
    </form>
  );
  return (
    <For role={role}>
      {isOpen ? (
        <section className="card">
          <h2>{title}</h2>
          {form}
        </section>
      ) : (
        <details className="action-form">
          <summary>{title}</summary>
          {form}
        </details>
      )}
    </For>
  );
}

function Control({
  field: { name, label, hint, type, options, empty, value, placeholder, max },
}: {
  field: FormField;
}) {
  if (type === 'check') {
    return (
      <label>
        <input type="checkbox" name={name} defaultChecked={value === true} /> {label}
      </label>
    );
  }
  const present = { name, defaultValue: String(value ?? '') };
  const shared = { ...present, required: empty === undefined, autoComplete: 'off', spellCheck: false, placeholder };
  return (
    <Field label={label} hint={hint ?? (type === 'datetime-local' ? `Time zone: ${timeZone}.` : undefined)}>
      {options !== undefined ? (
        <select {...present}>
          {'map' in options
            ? options.map(([option, text]) => (
                <option key={option} value={option}>
                  {text}
                </option>
              ))
            : options}
        </select>
      ) : type === 'area' ? (
        <textarea {...present} rows={2} />
      ) : type === 'number' ? (
        <input {...shared} type="number" min={1} max={max} step={1} />
      ) : (
        <input {...shared} type={type === 'secret' ? 'password' : (type ?? 'text')} />
      )}
    </Field>
  );
}

/** A secret that the API returns once. */
export function Secret({ title, text }: { readonly title: string; readonly text: string | null }) {
  return (
    <>
      <strong>{title}</strong> <code className="breaks block">{text}</code>
    </>
  );
}

import { useState } from 'react';

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

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../state/control-api.ts';

interface Notice {
  readonly text: string;
  readonly isProblem: boolean;
}

const SHOWN_MS = 6000;
const listeners = new Set<(notice: Notice) => void>();

/** Tells the reader in a corner of the page. */
function notify(text: string, isProblem = false): void {
  for (const listener of listeners) listener({ text, isProblem });
}

/** Runs what the reader asked for, and tells of it, or why it failed. */
export function attempt(run: () => Promise<string>): void {
  run().then(
    (text) => notify(text),
    (error: unknown) => notify(messageOf(error), true),
  );
}

export function Notices(): ComponentChildren {
  const [notice, setNotice] = useState<Notice | undefined>();
  useEffect(() => {
    listeners.add(setNotice);
    return () => void listeners.delete(setNotice);
  }, []);
  useEffect(() => {
    if (notice === undefined || notice.isProblem) return;
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div class="notices" role="status">
      {notice !== undefined && (
        <p class={notice.isProblem ? 'notice problem' : 'notice'}>
          {notice.text}
          <button class="plain" aria-label="Dismiss" onClick={() => setNotice(undefined)}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}

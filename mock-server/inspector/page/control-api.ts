import { useEffect, useRef, useState } from 'preact/hooks';

/** A world, by the ID of its sandbox; null: the mock's own. */
export type WorldId = string | null;

export function controlOf(world: WorldId): string {
  return world === null ? '/control' : `/control/sandboxes/${encodeURIComponent(world)}`;
}

/** The browser forgets it with the tab, and no other origin can read it. */
const TOKEN = 'control-token';

export function saveToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

export function authorization(): Readonly<Record<string, string>> {
  const token = sessionStorage.getItem(TOKEN);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

class RefusedControl extends Error {
  /** A JSON pointer into the body. */
  readonly at: string;

  constructor(message: string, at = '') {
    super(message);
    this.at = at;
  }
}

/**
 * Sends a control request, with a text as it is and anything else as JSON. The mock validates what it answers, so the
 * caller names the type. Throws a RefusedControl.
 */
export async function control<Answer = undefined>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: string | object,
): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: authorization(),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the mock validates what it answers
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as Answer;
  throw refusalIn(text) ?? new RefusedControl(`The mock answered ${response.status}`);
}

/** Sends a control request, and resolves to what to tell the reader. */
export async function told(text: string, ...asked: Parameters<typeof control>): Promise<string> {
  await control(...asked);
  return text;
}

function refusalIn(text: string): RefusedControl | undefined {
  try {
    const { error }: { error: { message: string; at?: string } } = JSON.parse(text);
    return new RefusedControl(error.message, error.at);
  } catch {
    return undefined;
  }
}

/** The place in the body that was refused; empty: none is known. */
export function placeOf(thrown: unknown): string {
  return thrown instanceof RefusedControl ? thrown.at : '';
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What a path answers: neither before its first answer. */
interface Loaded<Answer> {
  readonly answer?: Answer;
  readonly problem?: string;
}

/** Reads a path of the control API, and again whenever `version` has changed. */
export function useControl<Answer>(path: string, version: unknown): Loaded<Answer> {
  const [taken, setTaken] = useState({ path: '', n: 0, came: {} });
  const questions = useRef(0);
  useEffect(() => {
    questions.current += 1;
    const n = questions.current;
    // A later question may be answered first. An answer that is only late is shown: the next question may come soon.
    const take = (came: Loaded<Answer>): void => setTaken((last) => (last.n > n ? last : { path, n, came }));
    control<Answer>('GET', path).then(
      (answer) => take({ answer }),
      (error: unknown) => take({ problem: messageOf(error) }),
    );
  }, [path, version]);
  return taken.path === path ? taken.came : {};
}

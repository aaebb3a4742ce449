import type { WorldId } from './wire.ts';

/** The mock refused a control request; its message is for people. */
class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Forgotten with the tab, and read by no other origin. */
const TOKEN = 'control-token';

export function saveToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

export function authorization(): Readonly<Record<string, string>> {
  const token = sessionStorage.getItem(TOKEN);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** The path of the control API of a world. */
export function controlOf(world: WorldId): string {
  return world === null ? '/control' : `/control/sandboxes/${encodeURIComponent(world)}`;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Sends a control request and returns its answer, which the mock has validated: the types of `wire.ts` follow its schemas.
 * @throws {ControlRefusal}
 */
export async function control<Answer = undefined>(
  method: Method,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: authorization(),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the mock validates what it answers
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as Answer;
  throw new ControlRefusal(response.status, messageIn(text) ?? `The mock answered ${response.status}`);
}

function messageIn(text: string): string | undefined {
  try {
    const { error }: { error?: { message?: string } } = JSON.parse(text);
    return error?.message;
  } catch {
    return undefined;
  }
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

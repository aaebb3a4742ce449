import { type Mock, type MockOptions, startMock } from '../../start-mock.ts';
import { findOperation, OPERATIONS } from '../dispatch.ts';

export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A mock whose control API is used, and two shorthands. */
export interface ControlledMock {
  readonly mock: Mock;
  /** Sends a control request; a body that is no text is sent as JSON. Every answer is checked against its schema. */
  readonly control: (method: string, path: string, body?: unknown) => Promise<Answered>;
  /** Asks for a completion at a base URL. */
  readonly complete: (at: World, headers?: Readonly<Record<string, string>>) => Promise<Response>;
}

/** Where, and with which key. */
export interface World {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
}

const CHAT = JSON.stringify({
  model: 'compact-1',
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: 8,
});

/** A controlled mock, closed at the end. */
export async function withControl(
  use: (controlled: ControlledMock) => Promise<void>,
  options: MockOptions = {},
): Promise<void> {
  const mock = await startMock({ ...options, control: true });
  try {
    await use({ mock, control: (...request) => control(mock, ...request), complete });
  } finally {
    await mock.close();
  }
}

async function control(mock: Mock, method: string, path: string, body?: unknown): Promise<Answered> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${mock.control}${path}`, {
    method,
    ...(text !== undefined && { body: text }),
  });
  const answer = await response.text();
  const parsed: Answered['body'] = answer === '' ? {} : JSON.parse(answer);
  if (response.ok) assertAsDescribed(method, path, response.status, answer === '' ? undefined : parsed);
  return { status: response.status, body: parsed };
}

function assertAsDescribed(method: string, path: string, status: number, body: unknown): void {
  const { operation } = findOperation(OPERATIONS, method, path.split('?', 1)[0] ?? '');
  if (operation.status !== status) throw new Error(`${operation.name} answered ${status}`);
  operation.answer.parse(body);
}

function complete({ url, keys }: World, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys['primary']}`, 'content-type': 'application/json', ...headers },
    body: CHAT,
  });
}

import { expect } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../start-mock.ts';

/** A chat of six tokens of input that is served. */
export const CHAT = { model: 'compact-1', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 8 };

/** Uses a mock and closes it. */
export async function withMock<T>(options: MockOptions, use: (mock: Mock) => Promise<T>): Promise<T> {
  const mock = await startMock(options);
  try {
    return await use(mock);
  } finally {
    await mock.close();
  }
}

/** Likewise; its books must balance at the end. */
export function withBalancedMock(options: MockOptions, use: (mock: Mock) => Promise<void>): Promise<void> {
  return withMock(options, async (mock) => {
    await use(mock);
    expect(mock.ledger.invariants()).toEqual([]);
  });
}

/** Posts a chat with the primary key. */
export function complete(
  mock: Mock,
  body: object = CHAT,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${mock.url}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${mock.keys['primary']}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

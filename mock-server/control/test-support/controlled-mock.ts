import { z } from 'zod';
import type { Host, MockOptions } from '../../start-mock.ts';
import { CHAT, complete, openMock, type Place } from '../../test-support/open-mock.ts';

const SANDBOX = z.looseObject({ url: z.string(), keys: z.record(z.string(), z.string()) });

/** A mock whose control API is used. */
export async function openControlled(options: MockOptions = {}) {
  const mock = await openMock({ ...options, control: true });
  const send = (method: string, path: string, body?: unknown) => control(mock, method, path, body);
  return {
    mock,
    control: send,
    makeSandbox: async (asked: object = {}): Promise<Place> =>
      SANDBOX.parse((await send('POST', '/sandboxes', asked)).body),
    /** Asks for a completion, of the mock's own world or of a sandbox. */
    chat: (at: Place = mock, key?: string) =>
      complete(at, CHAT, key === undefined ? {} : { 'idempotency-key': key }),
  };
}

/** Sends a control request; a body that is neither text nor bytes is sent as JSON. */
async function control(mock: Host, method: string, path: string, body?: unknown) {
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(`${mock.control}${path}`, {
    method,
    ...(sent !== undefined && { body: sent }),
  });
  const answer = await response.text();
  const parsed: Readonly<Record<string, unknown>> = answer === '' ? {} : JSON.parse(answer);
  return { status: response.status, body: parsed };
}

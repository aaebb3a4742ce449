import { z } from 'zod';
import type { Host, MockOptions } from '../../start-mock.ts';
import { CHAT, complete, openMock, type Place } from '../../test-support/open-mock.ts';

const SANDBOX = z.looseObject({ url: z.string(), keys: z.record(z.string(), z.string()) });

export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A mock whose control API is used, and two shorthands. */
export interface ControlledMock {
  readonly mock: Host;
  /** Sends a control request; a body that is neither text nor bytes is sent as JSON. */
  readonly control: (method: string, path: string, body?: unknown) => Promise<Answered>;
  /** Makes a sandbox. */
  readonly makeSandbox: (asked?: object) => Promise<Place>;
  /** Asks for a completion, of the mock's own world or of a sandbox. */
  readonly chat: (at?: Place, idempotencyKey?: string) => Promise<Response>;
}

export async function openControlled(options: MockOptions = {}): Promise<ControlledMock> {
  const mock = await openMock({ ...options, control: true });
  return {
    mock,
    control: (...request) => control(mock, ...request),
    makeSandbox: async (asked = {}) => SANDBOX.parse((await control(mock, 'POST', '/sandboxes', asked)).body),
    chat: (at = mock, key) => complete(at, CHAT, key === undefined ? {} : { 'idempotency-key': key }),
  };
}

async function control(mock: Host, method: string, path: string, body?: unknown): Promise<Answered> {
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(`${mock.control}${path}`, {
    method,
    ...(sent !== undefined && { body: sent }),
  });
  const answer = await response.text();
  const parsed: Answered['body'] = answer === '' ? {} : JSON.parse(answer);
  return { status: response.status, body: parsed };
}

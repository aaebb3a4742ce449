import type { Socket } from 'node:net';
import { z } from 'zod';
import type { Sandbox, Sandboxes } from '../sandboxes/sandboxes.ts';

/** A control request after its validation. */
export interface OperationCall<Query = unknown, Body = unknown> {
  readonly sandboxes: Sandboxes;
  /** A sandbox, or the mock's own world. */
  readonly sandbox: Sandbox;
  /** Scheme and authority, as the caller used them. */
  readonly origin: string;
  /** On which the request came: its local end is where the mock listens. */
  readonly socket: Socket;
  /** The value of the path parameter, or an empty string. */
  readonly named: string;
  readonly query: Query;
  readonly body: Body;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** The header of a reader of events that comes back. */
  readonly lastEventId: string | undefined;
  /** All that this mock offers. */
  readonly operations: readonly Operation[];
}

/** An operation of the control API. */
export interface Operation<Query extends z.ZodObject = z.ZodObject, Body extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/control`, or below the control URL of a world; with at most one `{name}` in it. */
  readonly path: string;
  /** In camel case, unique. */
  readonly name: string;
  readonly about: 'mock' | 'world';
  readonly summary: string;
  readonly query: Query;
  readonly body: Body;
  /** Of the answer; 204 has no body. */
  readonly status: 200 | 201 | 204;
  readonly answer: z.ZodType;
  /** The media type of what `run` gives piece by piece; absent: it is sent as JSON. */
  readonly media?: string;
  /** Present: a body that begins as no object, list or string of JSON is a text. */
  readonly takesText?: true;
  /** If it throws a ControlError or an InputError, it has changed nothing. */
  run(call: OperationCall<z.output<Query>, z.output<Body>>): unknown;
}

/** For operations that take no body, or no query. */
export const emptyObject = z.strictObject({});

type Empty = typeof emptyObject;

/** An operation of a world, unless it says otherwise; without query and body, and with status 204 unless it has an answer. */
export function operation<Query extends z.ZodObject = Empty, Body extends z.ZodType = Empty>(
  method: Operation['method'],
  path: string,
  described: Pick<Operation, 'name' | 'summary'> &
    Partial<Operation<Query, Body>> &
    Pick<Operation<Query, Body>, 'run'>,
): Operation {
  const { answer } = described;
  const common = { about: 'world', query: emptyObject, body: emptyObject, answer: z.undefined() } as const;
  return { method, path, status: answer === undefined ? 204 : 200, ...common, ...described };
}

import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Sandbox, Sandboxes } from '../sandboxes/sandboxes.ts';

/** A control request after its validation. */
export interface OperationCall<Query = unknown, Body = unknown> {
  readonly sandboxes: Sandboxes;
  /** A sandbox, or the mock's own world. */
  readonly sandbox: Sandbox;
  readonly message: IncomingMessage;
  /** The value of the path parameter, or an empty string. */
  readonly named: string;
  readonly query: Query;
  readonly body: Body;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** All that this mock offers. */
  readonly operations: readonly Operation[];
}

export interface Operation<Query extends z.ZodObject = z.ZodObject, Body extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/control`, or below the control URL of a world; with at most one `{name}` in it. */
  readonly path: string;
  /** In camel case, unique. */
  readonly name: string;
  /** Those of a world exist for each sandbox too. */
  readonly about: 'mock' | 'world';
  readonly summary: string;
  readonly query: Query;
  readonly body: Body;
  /** Of an answer with a body. */
  readonly status: 200 | 201;
  /** Present: a body that begins as no object, list or string of JSON is a text. */
  readonly takesText?: true;
  /**
   * Returns what is sent as JSON, or a stream of events; undefined: the answer has no body. If it throws a ControlError or
   * an InputError, it has changed nothing.
   */
  run(call: OperationCall<z.output<Query>, z.output<Body>>): unknown;
}

/** For operations that take no body, or no query. */
export const emptyObject = z.strictObject({});

type Empty = typeof emptyObject;

/** An operation of a world, unless it says otherwise; without query and body. */
export function operation<Query extends z.ZodObject = Empty, Body extends z.ZodType = Empty>(
  method: Operation['method'],
  path: string,
  described: Pick<Operation, 'name' | 'summary'> &
    Partial<Operation<Query, Body>> &
    Pick<Operation<Query, Body>, 'run'>,
): Operation {
  const common = { about: 'world', query: emptyObject, body: emptyObject, status: 200 } as const;
  return { method, path, ...common, ...described };
}

/** A whole number in a query, which has strings only. */
export const whole = (most: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'Expected a whole number')
    .transform(Number)
    .pipe(z.int().max(most));

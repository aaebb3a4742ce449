import type { z } from 'zod';

import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { checked } from './checked.ts';

/** A control request that has been read. */
export interface Call<Query = unknown, Body = unknown> {
  readonly sandboxes: Sandboxes;
  /** The world it is about: a sandbox, or the mock's own. */
  readonly sandbox: Sandbox;
  /** Scheme and authority as the caller knows them. */
  readonly origin: string;
  /** What stands in place of the braces in the path; empty where there are none. */
  readonly named: string;
  readonly query: Query;
  readonly body: Body;
  /** Aborted once the caller has gone. */
  readonly signal: AbortSignal;
}

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

interface Description {
  /** In camel case, unique. */
  readonly name: string;
  readonly method: Method;
  /** Below `/control`, or below the control URL of a world; with at most one `{name}` in it. */
  readonly path: string;
  readonly about: 'mock' | 'world';
  readonly summary: string;
  /** Of the answer; 204 has no body. */
  readonly status: 200 | 201 | 204;
  readonly answer: z.ZodType;
}

interface TypedOperation<Query extends z.ZodObject, Body extends z.ZodType> extends Description {
  readonly query: Query;
  readonly body: Body;
  readonly run: (call: Call<z.output<Query>, z.output<Body>>) => unknown;
}

/** One thing that the control API does. */
export interface Operation extends Description {
  readonly query: z.ZodObject;
  readonly body: z.ZodType;
  /** Reads query and body whole before it does anything. Throws a ControlError, and then has done nothing. */
  readonly run: (call: Call) => unknown;
}

/** Ties what runs to the schemas of what it is given. */
export function operation<Query extends z.ZodObject, Body extends z.ZodType>(
  typed: TypedOperation<Query, Body>,
): Operation {
  return {
    ...typed,
    run: (call) =>
      typed.run({
        ...call,
        query: checked(typed.query, call.query, 'query'),
        body: checked(typed.body, call.body, ''),
      }),
  };
}

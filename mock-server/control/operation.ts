import type { Socket } from 'node:net';
import { z } from 'zod';
import { parsed } from '../input/input-error.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { refusing } from './guard.ts';

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

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';

/** An operation of the control API. */
export interface Operation {
  /** In camel case, unique. */
  readonly name: string;
  readonly method: Method;
  /** Below `/control`, or below the control URL of a world; with at most one `{name}` in it. */
  readonly path: string;
  readonly about: 'mock' | 'world';
  readonly summary: string;
  readonly query: z.ZodObject;
  readonly body: z.ZodType;
  /** Of the answer; 204 has no body. */
  readonly status: 200 | 201 | 204;
  readonly answer: z.ZodType;
  /** The media type of what `run` gives piece by piece; absent: it is sent as JSON. */
  readonly media?: string;
  /** Present: a body that begins as no object, list or string of JSON is a text. */
  readonly takesText?: true;
  /** Validates query and body first. If it throws a ControlError, it has changed nothing. */
  readonly run: (call: OperationCall) => unknown;
}

/** For operations that take no body, or no query. */
export const emptyObject = z.strictObject({});

type Empty = typeof emptyObject;

/** What is absent: it is about a world, takes neither query nor body, and answers 200, or 204 without an answer. */
interface Described<Query extends z.ZodObject, Body extends z.ZodType>
  extends
    Pick<Operation, 'name' | 'summary'>,
    Partial<Pick<Operation, 'about' | 'status' | 'answer' | 'media' | 'takesText'>> {
  readonly query?: Query;
  readonly body?: Body;
  readonly run: (call: OperationCall<z.output<Query>, z.output<Body>>) => unknown;
}

/** Gives `run` the types of its schemas, and validates its input. */
export function operation<Query extends z.ZodObject = Empty, Body extends z.ZodType = Empty>(
  method: Method,
  path: string,
  typed: Described<Query, Body>,
): Operation {
  const { query = emptyObject, body = emptyObject, answer = z.undefined(), about = 'world' } = typed;
  const status = typed.status ?? (typed.answer === undefined ? 204 : 200);
  return {
    ...typed,
    method,
    path,
    about,
    query,
    body,
    status,
    answer,
    run: (call) => {
      const read = refusing(() => checked<Query>(query, call.query), { at: 'query' });
      return refusing(() => typed.run({ ...call, query: read, body: checked<Body>(body, call.body) }));
    },
  };
}

function checked<Schema extends z.ZodType>(schema: Schema | Empty, value: unknown): z.output<Schema> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an absent schema has the type of the empty one
  return parsed(schema, value) as z.output<Schema>;
}

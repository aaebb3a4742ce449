import type { z } from 'zod';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { jsonPointer } from '../protocol/service-error.ts';

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

type Issue = z.core.$ZodIssue;

/** The value as the schema has it. Throws a ControlError that names the first wrong place below `place`. */
function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, place: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = `${place}${issue === undefined ? '' : pointer(issue)}`;
  throw new ControlError(400, codeOf(issue), `${at || 'the body'}: ${issue?.message ?? 'is wrong'}`, at);
}

function codeOf(issue: Issue | undefined): string {
  return issue?.code === 'unrecognized_keys' ? 'unknown_field' : 'invalid_value';
}

/** RFC 6901; of a field that is not known, the field itself. */
function pointer(issue: Issue): string {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  return jsonPointer(path);
}

/** A control request that is refused, whole: nothing of it was applied. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  /** Where it is wrong: a JSON pointer into the body (RFC 6901), or the name of a query parameter or a header. */
  readonly at: string | undefined;

  constructor(status: number, code: string, message: string, at?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.at = at;
  }
}

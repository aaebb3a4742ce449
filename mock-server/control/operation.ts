import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import { jsonPointer } from '../protocol/service-error.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';

/** A control request after its validation. */
export interface OperationCall<Query = unknown, Body = unknown> {
  readonly sandboxes: Sandboxes;
  /** A sandbox, or the mock's own world. */
  readonly sandbox: Sandbox;
  /** Scheme and authority, as the caller used them. */
  readonly origin: string;
  /** The value of the path parameter, or an empty string. */
  readonly named: string;
  readonly query: Query;
  readonly body: Body;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** The header of a reader of events that comes back. */
  readonly lastEventId: string | undefined;
}

/** An answer that goes on until the caller disconnects. */
export class OpenAnswer {
  /** Writes head and body. */
  readonly write: (response: ServerResponse) => void;

  constructor(write: (response: ServerResponse) => void) {
    this.write = write;
  }
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
  /** The media type of an OpenAnswer; absent: JSON. */
  readonly media?: string;
  /** Present: a body that begins as no object, list or string of JSON is a text. */
  readonly takesText?: true;
}

interface TypedOperation<Query extends z.ZodObject, Body extends z.ZodType> extends Description {
  readonly query: Query;
  readonly body: Body;
  readonly run: (call: OperationCall<z.output<Query>, z.output<Body>>) => unknown;
}

/** An operation of the control API. */
export interface Operation extends Description {
  readonly query: z.ZodObject;
  readonly body: z.ZodType;
  /** Validates query and body first. If it throws a ControlError, it has changed nothing. */
  readonly run: (call: OperationCall) => unknown;
}

/** Gives `run` the types of its schemas, and validates its input. */
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

/** The rules of a body that is a text: one on each line. A text of one line is its line. */
export function linesOf(text: string): string | readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 1 ? text.trim() : lines;
}

type Issue = z.core.$ZodIssue;

/** Parses a value. Throws a ControlError with the first wrong place, below `place`. */
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

/** RFC 6901. An unknown field is a place itself. */
function pointer(issue: Issue): string {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  return jsonPointer(path);
}

const LONGEST = 500;

/** What was sent may be large, and need not come back. */
function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

/** A refused control request, of which nothing was applied. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  /** The wrong place: a JSON pointer into the body (RFC 6901), or the name of a query parameter or a header. */
  readonly at: string | undefined;

  constructor(status: number, code: string, message: string, at?: string) {
    super(shortened(message));
    this.status = status;
    this.code = code;
    this.at = at && shortened(at);
  }
}

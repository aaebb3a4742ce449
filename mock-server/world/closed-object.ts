import { z } from 'zod';
import { jsonPointer } from '../protocol/service-error.ts';
import { suggestion } from '../rules/rule-error.ts';

/** An object with exactly these fields. The error for another field lists them. */
export function closedObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown field ${issue.keys.map((name) => JSON.stringify(name)).join(', ')}${suggestion(issue.keys[0], known)}; allowed: ${known.join(', ') || 'none'}`
        : undefined,
  });
}

/** For operations that take no body, or no query. */
export const emptyObject = closedObject({});

type Issue = z.core.$ZodIssue;

/** What is wrong with a value, and its place in it (RFC 6901). */
export interface Problem {
  readonly pointer: string;
  readonly message: string;
  /** Whether the place is a field that there is not. */
  readonly isUnknown?: boolean;
}

/** What is wrong with a value. Of a union, what is wrong with the alternative that has its type, if there is one. */
export function problemsIn({ issues }: z.ZodError): readonly Problem[] {
  return issues.flatMap(meant).map((issue) => {
    const field = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const pointer = jsonPointer([...issue.path, ...field]);
    return { pointer, message: issue.message, isUnknown: field.length > 0 };
  });
}

function meant(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inner = issue.errors.find((issues) => !issues.some(isOfOtherType));
  if (inner === undefined) return [issue];
  return inner.flatMap(meant).map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

function isOfOtherType({ code, path }: Issue): boolean {
  return (
    path.length === 0 && ['invalid_type', 'invalid_value', 'invalid_format', 'invalid_union'].includes(code)
  );
}

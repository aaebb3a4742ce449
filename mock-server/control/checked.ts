import type { z } from 'zod';

import { jsonPointer } from '../http/json-pointer.ts';
import { ControlError } from './control-error.ts';

type Issue = z.core.$ZodIssue;

/** The value as the schema has it. Throws a ControlError that names the first wrong place below `place`. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: string,
): z.output<Schema> {
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

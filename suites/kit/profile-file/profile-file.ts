import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import type { Profile } from '../profile.ts';
import { below } from '../reading/json-pointer.ts';
import { profileSchema } from './profile-schema.ts';

/** A profile that cannot be used; the message is one line: the file, the place in it, and what is expected. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new ProfileError(`cannot read the profile ${file} (${reason})`, { cause: error });
  }
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(textOf(file));
  } catch (error) {
    if (error instanceof ProfileError) throw error;
    throw new ProfileError(`${file} is not JSON`, { cause: error });
  }
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.reduce<string>((parent, part) => below(parent, String(part)), '');
}

/** The innermost complaint: what zod says of a name is wrapped in what it says of the record. */
function complaint(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  if (issue.code === 'invalid_union') return 'must be JSON';
  return issue.message;
}

/**
 * Reads and checks a profile.
 * @throws {ProfileError} At the first thing that is wrong with it.
 */
export function readProfile(file: string): Profile {
  const result = profileSchema.safeParse(parsed(file));
  if (result.success) {
    const { $schema: _schema, format: _format, version: _version, ...profile } = result.data;
    return profile;
  }
  const [issue] = result.error.issues;
  throw new ProfileError(
    issue ? `${file}#${pointerTo(issue.path)}: ${complaint(issue)}` : `${file} is no profile`,
  );
}

import { readJsonFile } from '../files/read-json-file.ts';
import type { Profile } from '../model/profile.ts';
import { profileSchema } from './profile-schema.ts';

/**
 * Reads and checks a profile.
 * @throws {FileError} At the first thing that is wrong with it.
 */
export function readProfile(file: string): Profile {
  const {
    $schema: _schema,
    format: _format,
    version: _version,
    notes: _notes,
    ...profile
  } = readJsonFile(file, 'profile', profileSchema);
  return profile;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spellingsIn } from '../../../fixtures/credentials/test-support/spellings.ts';

/** Where a text holds one of the secrets, in any encoding; `place` is for the message. */
export function secretsInText(place: string, text: string, secrets: readonly string[]): readonly string[] {
  return spellingsIn(text, ...secrets).map((found) => `${place}: ${found}`);
}

/** The same of every file below a folder, whatever it is called. */
export function secretsInFolder(folder: string, secrets: readonly string[]): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const text = readFileSync(join(parentPath, name), 'utf8');
      return [...secretsInText(name, text, secrets), ...secretsInText(`the name of ${name}`, name, secrets)];
    });
}

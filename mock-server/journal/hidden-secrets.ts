import { type Carrier, carriedSecrets } from '../../fixtures/credentials/carried-secrets.ts';
import { redactText, type Secrets } from '../../fixtures/credentials/redact-secrets.ts';

/** What stands in the place of a secret. */
export const HIDDEN = '(a key)';

/** The keys of a world, and whatever secret the request itself carries. */
export function hiddenSecrets(keys: readonly string[], request: Carrier | null): Secrets {
  const all = request === null ? keys : [...keys, ...carriedSecrets(request)];
  return new Map(all.map((secret) => [secret, HIDDEN]));
}

const LONGEST_WORD = 256;

/** A word of the caller, such as a path: without secrets, and cut to 256 code units. */
export function shownWord(text: string, secrets: Secrets): string {
  return redactText(text, secrets).slice(0, LONGEST_WORD).toWellFormed();
}

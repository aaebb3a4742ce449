import type { Target } from '../model/run.ts';

/** Usual names of secrets; answers repeat the values of other headers for their own reasons. */
const SECRET_NAME = /auth|cookie|credential|key|password|secret|session|signature|token/i;

/** Shorter values occur in texts by chance. */
const SHORTEST_HEADER = 8;

/** Every secret of a target, by its name in reports: its keys, the token of its control URL, its headers with secrets. */
export function secretsOf(
  { keys, headers }: Pick<Target, 'keys' | 'headers'>,
  controlToken: string | undefined,
): Readonly<Record<string, string>> {
  const all = { ...keys, control: controlToken, ...secretHeaders(headers) };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, secret]) =>
      secret === undefined || secret === '' ? [] : [[name, secret]],
    ),
  );
}

function secretHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const secret = Object.entries(headers).filter(
    ([name, value]) => SECRET_NAME.test(name) && value.length >= SHORTEST_HEADER,
  );
  return Object.fromEntries(secret.map(([name, value]) => [`header ${name}`, value]));
}

/** Names under which secrets are usually sent; the values of other headers stand in answers for reasons of their own. */
const TELLING_NAME = /auth|cookie|credential|key|password|secret|session|signature|token/i;

/** Too short to be told from other words. */
const SHORTEST = 8;

/** The headers of a target, sent with every request, whose values nobody should see; by what reports call them. */
export function secretHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const secret = Object.entries(headers).filter(
    ([name, value]) => TELLING_NAME.test(name) && value.length >= SHORTEST,
  );
  return Object.fromEntries(secret.map(([name, value]) => [`header ${name}`, value]));
}

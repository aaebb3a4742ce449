/** What is shorter stands in texts that hold no secret. */
const SHORTEST = 6;

/** The part of the base64 form of any text holding the secret that does not depend on what stands around it. */
function base64Cores(secret: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(' '.repeat(offset) + secret).toString('base64');
    const start = Math.ceil((offset * 4) / 3);
    const whole = Math.floor(((offset + Buffer.byteLength(secret)) * 4) / 3);
    return encoded.slice(start, whole);
  });
}

/**
 * The texts by which an answer might give a secret away once its escapes are undone: plain (as text, and as the bytes of
 * UTF-8), backwards, base64 of either alphabet at any offset, hexadecimal.
 */
export function secretForms(secret: string): readonly string[] {
  const cores = base64Cores(secret);
  const urlSafe = cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  const bytes = Buffer.from(secret);
  const backwards = Array.from(secret).toReversed().join('');
  const hex = bytes.toString('hex');
  const forms = [secret, bytes.toString('latin1'), ...cores, ...urlSafe, hex, hex.toUpperCase(), backwards];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST);
}

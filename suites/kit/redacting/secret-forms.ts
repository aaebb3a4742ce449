/** The part of the base64 of bytes with the secret that does not depend on the bytes around it, at each offset. */
function base64Cores(secret: Uint8Array): Buffer[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset, ' '), secret]).toString('base64');
    const start = Math.ceil((offset * 4) / 3);
    const whole = Math.floor(((offset + secret.length) * 4) / 3);
    return Buffer.from(encoded.slice(start, whole));
  });
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** As of base64; a group is five bytes long. */
function base32Cores(secret: Uint8Array): Buffer[] {
  return [0, 1, 2, 3, 4].map((offset) => {
    const bits = [...Buffer.alloc(offset), ...secret]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('');
    const [start, end] = [Math.ceil((offset * 8) / 5), Math.floor(bits.length / 5)];
    const letters = Array.from({ length: end - start }, (_, i) =>
      bits.slice((start + i) * 5, (start + i + 1) * 5),
    );
    return Buffer.from(letters.map((five) => BASE32[Number.parseInt(five, 2)]).join(''));
  });
}

const urlSafe = (core: Buffer): Buffer =>
  Buffer.from(core.toString('latin1').replaceAll('+', '-').replaceAll('/', '_'));

/** Longer values are tokens and cookies: of these only the plain forms and base64 are looked for. */
const LONGEST_KEY = 256;

/**
 * The forms in which an answer might echo a secret once its escapes are undone: plain (in UTF-8 and in Latin-1),
 * backwards, hexadecimal, base64 of either alphabet at any offset; and of a key also base64 of its UTF-16, base64 of
 * base64, and base32.
 */
export function secretForms(secret: string): readonly Uint8Array[] {
  const bytes = Buffer.from(secret);
  const backwards = Array.from(secret).toReversed().join('');
  const once = base64Cores(bytes);
  const forms = [
    bytes,
    Buffer.from(secret, 'latin1'),
    ...once,
    ...once.map(urlSafe),
    Buffer.from(bytes.toString('hex')),
    Buffer.from(bytes.toString('hex').toUpperCase()),
    Buffer.from(backwards),
    ...(bytes.length > LONGEST_KEY ? [] : rareForms(secret, once)),
  ];
  return [...new Map(forms.map((form) => [form.toString('latin1'), form])).values()];
}

function rareForms(secret: string, once: readonly Buffer[]): readonly Buffer[] {
  const wide = base64Cores(Buffer.from(secret, 'utf16le'));
  const twice = [...once, ...once.map(urlSafe)].flatMap(base64Cores);
  return [
    ...wide,
    ...wide.map(urlSafe),
    ...twice,
    ...twice.map(urlSafe),
    ...base32Cores(Buffer.from(secret)),
  ];
}

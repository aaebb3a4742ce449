const escaped = (text: string, spell: (code: number) => string): string =>
  Array.from(text, (character) => spell(character.charCodeAt(0))).join('');

const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const percent = (code: number): string => `%${hexOf(code, 2)}`;
const unit = (code: number): string => String.raw`\u${hexOf(code, 4)}`;

/** Every other character spelt out, the others as they are. */
function partly(text: string, spell: (code: number) => string): string {
  return Array.from(text, (character, i) => (i % 2 === 0 ? spell(character.charCodeAt(0)) : character)).join(
    '',
  );
}

const encoded = (encoding: BufferEncoding, before: string, text: string): string =>
  Buffer.from(`${before}${text}!`).toString(encoding);

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function base32(text: string): string {
  const bits = Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
}

/** The ways in which a target may spell a secret, by name. */
export const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  'upper case': (secret) => secret.toUpperCase(),
  'lower case': (secret) => secret.toLowerCase(),
  backwards: (secret) => Array.from(secret).toReversed().join(''),
  'the first half': (secret) => secret.slice(0, secret.length >> 1),
  'the second half': (secret) => secret.slice(secret.length >> 1),
  'base64 at offset 0': (secret) => encoded('base64', '', secret),
  'base64 at offset 1': (secret) => encoded('base64', 'a', secret),
  'base64 at offset 2': (secret) => encoded('base64', 'ab', secret),
  'base64url at offset 0': (secret) => encoded('base64url', '', secret),
  'base64url at offset 1': (secret) => encoded('base64url', 'a', secret),
  'base64 in percent encoding': (secret) => encodeURIComponent(encoded('base64', 'ab', secret)),
  'base64 in short lines': (secret) => encoded('base64', '', secret).replaceAll(/.{20}/g, '$&\r\n'),
  'percent encoding': (secret) => escaped(secret, percent),
  'percent encoding in upper case': (secret) => escaped(secret, percent).toUpperCase(),
  'percent encoding of some': (secret) => partly(secret, percent),
  'percent encoding, twice': (secret) => encodeURIComponent(partly(secret, percent)),
  hexadecimal: (secret) => Buffer.from(secret).toString('hex'),
  'hexadecimal in upper case': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'JSON escapes': (secret) => escaped(secret, unit),
  'JSON escapes of some': (secret) => partly(secret, unit),
  'JSON escapes in a JSON text': (secret) => JSON.stringify(partly(secret, unit)).slice(1, -1),
  'escaped slashes': (secret) => secret.replaceAll('/', String.raw`\/`),
  'HTML references': (secret) => escaped(secret, (code) => `&#${code};`),
  'HTML references in hexadecimal': (secret) => partly(secret, (code) => `&#x${hexOf(code, 2)};`),
  'folded lines': (secret) => secret.replaceAll(/.{10}/g, '$&  '),
  'broken lines': (secret) => secret.replaceAll(/.{10}/g, '$&\n  '),
};

/** Ways in which no service writes a secret down but one that wants to hide it. */
export const RARE_SPELLINGS: typeof SPELLINGS = {
  'spaced hexadecimal': (secret) => Buffer.from(secret).toString('hex').replaceAll(/../g, '$& ').trim(),
  'hexadecimal with colons': (secret) =>
    Buffer.from(secret)
      .toString('hex')
      .replaceAll(/..(?!$)/g, '$&:'),
  'hexadecimal numbers': (secret) => escaped(secret, (code) => `0x${hexOf(code, 2)}, `),
  'decimal bytes': (secret) => [...Buffer.from(secret)].join(', '),
  'base64 of base64': (secret) => encoded('base64', '', encoded('base64', 'ab', secret)),
  'base64 of UTF-16': (secret) => Buffer.from(`a${secret}`, 'utf16le').toString('base64'),
  'base64 of UTF-16, big end first': (secret) => Buffer.from(secret, 'utf16le').swap16().toString('base64'),
  'base32 at offset 0': (secret) => base32(secret),
  'base32 at offset 3': (secret) => base32(`abc${secret}`),
  octal: (secret) => escaped(secret, (code) => `\\${code.toString(8).padStart(3, '0')}`),
  'octal in a JSON text': (secret) => escaped(secret, (code) => `\\\\${code.toString(8).padStart(3, '0')}`),
  'JavaScript escapes of code points': (secret) => escaped(secret, (code) => `\\u{${hexOf(code, 2)}}`),
  'escapes with %u': (secret) => escaped(secret, (code) => `%u${hexOf(code, 4)}`),
  'CSS escapes': (secret) => escaped(secret, (code) => `\\${hexOf(code, 2)} `),
  'CSS escapes of some': (secret) => partly(secret, (code) => `\\${hexOf(code, 6)}`),
  'quoted-printable': (secret) => escaped(secret, (code) => `=${hexOf(code, 2).toUpperCase()}`),
  'quoted-printable in short lines': (secret) => secret.replaceAll(/.{10}/g, '$&=\r\n'),
  'quoted-printable in a JSON text': (secret) =>
    secret.replaceAll(/.{10}/g, (ten) => String.raw`${ten}=\r\n`),
  'zero-width spaces': (secret) => Array.from(secret).join('\u200B'),
  'soft hyphens': (secret) => Array.from(secret).join('\u00AD'),
  'letters of full width': (secret) => escaped(secret, (code) => String.fromCharCode(code + 0xfe_e0)),
};

/** With the escapes undone that a person, or a search in a log, would undo at a glance. */
function atAGlance(text: string): string {
  const plain = text
    .replaceAll(/%25/g, '%')
    .replaceAll(/\\+u([\da-f]{4})/gi, (_, hex: string) => fromHex(hex));
  return plain
    .replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => fromHex(hex))
    .replaceAll(/&#x([\da-f]+);/gi, (_, hex: string) => fromHex(hex))
    .replaceAll(/&#(\d+);/g, (_, decimal: string) => String.fromCharCode(Number(decimal)))
    .replaceAll(/\\[rn]|\\|\s/g, '')
    .toLowerCase();
}

const fromHex = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** So many characters in a row give something away; up to four of them may be of what stands around a secret. */
const TELLING = 16;

/** Which spellings of a secret, or of a telling part of it, a text holds. */
export function spellingsIn(text: string, secret: string, spellings = SPELLINGS): readonly string[] {
  const glance = atAGlance(text);
  // Most spellings look the same at a glance: each look is searched for once.
  const looks = Map.groupBy(Object.keys(spellings), (name) => atAGlance(spellings[name]?.(secret) ?? ''));
  return [...looks].flatMap(([look, names]) => {
    const parts = Array.from({ length: look.length - TELLING + 1 }, (_, i) => look.slice(i, i + TELLING));
    const found = parts.find((part) => glance.includes(part));
    return found === undefined ? [] : [`${names.join(', ')}: ${found}`];
  });
}

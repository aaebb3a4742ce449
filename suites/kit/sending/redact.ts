import type { Outcome } from '../exchange.ts';
import type { Keys } from '../run.ts';

/** Takes every key out of bytes or text, in each encoding in which an answer might echo it. */
export interface Redactor {
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  readonly text: (text: string) => string;
  readonly outcome: (outcome: Outcome) => Outcome;
}

/** What stands where a key stood: `[key:primary]`. */
function marker(name: string): string {
  return `[key:${name}]`;
}

/** The part of the base64 form of any text holding the key that does not depend on what stands around it. */
function base64Cores(key: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(' '.repeat(offset) + key).toString('base64');
    const start = Math.ceil((offset * 4) / 3);
    const whole = Math.floor(((offset + Buffer.byteLength(key)) * 4) / 3);
    return encoded.slice(start, whole);
  });
}

const SHORTEST = 6;

function formsOf(key: string): string[] {
  const cores = base64Cores(key);
  const urlSafe = cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  const hex = Buffer.from(key).toString('hex');
  const plain = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)];
  // What is very short stands in texts that hold no key.
  return [...new Set([...plain, ...cores, ...urlSafe, hex, hex.toUpperCase()])].filter(
    (form) => form.length >= SHORTEST,
  );
}

/** Makes the redactor of a run's keys, and of the token of its control URL. */
export function redactorOf(keys: Keys, controlToken?: string): Redactor {
  const forms = Object.entries({ ...keys, control: controlToken })
    .filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
    .flatMap(([name, key]) => formsOf(key).map((form) => ({ form, marker: marker(name) })));
  const text = (value: string): string => forms.reduce((rest, f) => rest.replaceAll(f.form, f.marker), value);
  const bytes = (value: Uint8Array): Uint8Array => {
    const buffer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (!forms.some((f) => buffer.includes(f.form))) return value;
    // latin1 keeps every byte as it is, so that only the keys change.
    const redacted = forms.reduce(
      (rest, f) => rest.replaceAll(Buffer.from(f.form).toString('latin1'), f.marker),
      buffer.toString('latin1'),
    );
    return Buffer.from(redacted, 'latin1');
  };
  const outcome = (whole: Outcome): Outcome => {
    if (whole.kind === 'not-sent' || whole.answer === undefined) return whole;
    const { answer } = whole;
    const headers: Record<string, string> = {};
    for (const name in answer.headers) headers[name] = text(answer.headers[name] ?? '');
    return { ...whole, answer: { ...answer, headers, body: bytes(answer.body) } };
  };
  return { bytes, text, outcome };
}

/** How the texts of a value are redacted. */
export interface Texts {
  /** Takes secrets and their parts out of a text. */
  readonly text: (text: string) => string;
  /** Takes only whole secrets out of a name. */
  readonly name: (name: string) => string;
}

/** Members whose values are addresses, IDs and names that a reader looks for: a part of a key in them is no secret. */
const NAMES: ReadonlySet<string> = new Set([
  'baseUrl',
  'controlUrl',
  'format',
  'type',
  'kind',
  'stimulus',
  'check',
  'trial',
  'control',
  'exchanges',
  'clauses',
  'code',
  'point',
  'method',
  'path',
]);

/** Words of our formats that are as long as what counts as a part of a key: a key that holds one gives nothing away. */
const WORDS: ReadonlySet<string> = new Set([
  'unscoped',
  'disruptive',
  'completions',
  'convention',
  'not-exercised',
  'inconclusive',
  'conformant',
  'violations',
  'incomplete',
]);

/** Every string of a JSON value without secrets; its structure stays as it is. */
export function redactDeeply<V>(value: V, texts: Texts): V;
export function redactDeeply(value: unknown, texts: Texts): unknown {
  if (typeof value === 'string') return WORDS.has(value) ? texts.name(value) : texts.text(value);
  if (Array.isArray(value)) return value.map((item) => redactDeeply(item, texts));
  if (typeof value !== 'object' || value === null) return value;
  const names = { text: texts.name, name: texts.name };
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      texts.name(name),
      name === 'headers' && isRecord(item)
        ? redactNamed(item, texts)
        : redactDeeply(item, isNames(name, item) ? names : texts),
    ]),
  );
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A target may put a part of a key into the name of a header. */
function redactNamed(headers: object, texts: Texts): unknown {
  const entries = Object.entries(headers).map(([name, value]) => [
    texts.text(name),
    redactDeeply(value, texts),
  ]);
  return Object.fromEntries(entries);
}

/** The names of the headers that a target is sent are a list; those of an answer are members. */
function isNames(name: string, value: unknown): boolean {
  if (name === 'headers') return Array.isArray(value);
  return NAMES.has(name) && (typeof value === 'string' || Array.isArray(value));
}

import type { Pace, Runs } from '../../../suites/engine/model/run.ts';
import { refused, type Schemas, type SettingPlace } from './option.ts';

/** An option without a value. */
export const toggle = { schema: (z: Schemas) => z.boolean(), ofSetting: (setting: boolean) => setting };

/** Any text, even an empty one: what reads it says what is wrong with it. */
export const text = { parse: (word: string) => word, schema: (z: Schemas) => z.string() };

/** An empty name usually comes from a variable that is not set. */
export function filled(word: string): string {
  return word === '' ? refused('It must not be empty.') : word;
}

export const filledText = { parse: filled, schema: (z: Schemas) => z.string().min(1) };

export const path = { ...filledText, ofSetting: (setting: string, at: SettingPlace) => at.inFolder(setting) };

function wholeNumber(least: number, most: number, word: string): number {
  const value = Number(word);
  if (/^-?\d+$/.test(word) && value >= least && value <= most) return value;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
  return refused(`It must be a whole number ${bounds}.`);
}

export const integer = (least: number, most = Number.MAX_SAFE_INTEGER) => ({
  parse: (word: string) => wholeNumber(least, most, word),
  schema: (z: Schemas) => z.int().min(least).max(most),
});

/** Random draws are seeded with 32 bits, one of them the sign. */
export const LARGEST_SEED = 2 ** 31 - 1;

function oneOf<Word extends string>(known: readonly Word[], word: string, subject: string): Word {
  const match = known.find((candidate) => candidate === word);
  return match ?? refused(`${subject} must be one of: ${known.join(', ')}.`);
}

export const wordOf = <const Word extends string>(known: readonly Word[]) => ({
  parse: (word: string) => oneOf(known, word, 'It'),
  schema: (z: Schemas) => z.enum(known),
});

/** An option that may be given many times, each time with some items. */
export const listOf = <Item>(itemsIn: (word: string) => readonly Item[]) => ({
  parse: (word: string, before: readonly Item[] = []): readonly Item[] => [...before, ...itemsIn(word)],
});

function commaSeparated(list: string): readonly string[] {
  const words = list.split(',').map((word) => word.trim());
  return words.includes('') ? refused('It must be a comma-separated list of names.') : words;
}

/** Names, separated by commas. */
export const names = { ...listOf(commaSeparated), schema: (z: Schemas) => z.array(z.string().min(1)) };

/** The same, each one of these words. */
export const wordsOf = <const Word extends string>(known: readonly Word[]) => ({
  ...listOf((list) => commaSeparated(list).map((word) => oneOf(known, word, 'Each name'))),
  schema: (z: Schemas) => z.array(z.enum(known)),
});

export const repeated = listOf((word) => [filled(word)]);

export const variables = listOf((word) =>
  /^[A-Za-z_]\w*$/.test(word) ? [word] : refused('It must be the name of an environment variable.'),
);

export const runs = {
  parse: (word: string): Runs =>
    word === 'few' || word === 'fewest' ? word : wholeNumber(0, Number.MAX_SAFE_INTEGER, word),
  schema: (z: Schemas) =>
    z.union([z.enum(['few', 'fewest']), z.int().nonnegative()], { error: 'must be few, fewest or a number' }),
};

/** A text of a form. */
const formed = (pattern: RegExp, form: string) => ({
  parse: (word: string): string => (pattern.test(word) ? word : refused(`It ${form}.`)),
  schema: (z: Schemas) => z.string().regex(pattern, { error: form }),
});

/** How long a run may take, no longer than a timer can wait. */
export const duration = formed(/^(?:[1-9]\d{0,3}[sm]|[1-9]\d?h)$/, 'must be a time such as 90s, 15m or 2h');

export const pace = formed(/^[1-9]\d{0,5}\/[sm]$/, 'must be N/s or N/m, such as 5/s or 60/m');

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration. */
export function millisecondsOf(given: string): number {
  return Number.parseFloat(given) * (UNITS_MS[given.replace(/^[\d.]+/, '')] ?? 0);
}

export function paceOf(given: string): Pace {
  const [count, unit = ''] = given.split('/');
  return { requests: Number(count), perMs: UNITS_MS[unit] ?? 0 };
}

/** A proxy; its login is a secret, and stands elsewhere. */
export const proxy = {
  ...text,
  schema: (z: Schemas) =>
    z.string().refine((url) => !/^(?:[^/]*\/\/)?[^/]*@/.test(url), {
      error:
        'must not contain credentials: put them in proxyAuth, as { "env": "NAME" } or { "file": "PATH" }',
    }),
};

/** Hosts, separated by commas. */
export const hosts = {
  schema: (z: Schemas) => z.array(z.string().min(1)),
  ofSetting: (setting: readonly string[]) => setting.join(','),
};

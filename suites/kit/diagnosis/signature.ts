import { readFileSync } from 'node:fs';

/** How often a bug made one check fail, on what, and how. */
export interface Sign {
  readonly check: string;
  /** Of how many trials of all runs with the bug. */
  readonly failed: number;
  readonly tried: number;
  /** Inputs on which the check always failed, always held, or did either. */
  readonly fails: ReadonlySet<string>;
  readonly holds: ReadonlySet<string>;
  readonly varies: ReadonlySet<string>;
  /** How often it failed in which way, as shares of `failed`. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly answers: ReadonlySet<string>;
  readonly shapes: ReadonlySet<string>;
}

/** A known bug: what was built, which clauses it breaks, and what a run says of a service that has it. */
export interface KnownBug {
  readonly name: string;
  readonly clauses: readonly string[];
  readonly story: string;
  readonly signs: ReadonlyMap<string, Sign>;
}

/** As the file holds them: inputs, kinds of failures and answers go by their places in a list. */
export interface SignatureFile {
  readonly format: 'chat-conformance/signatures';
  readonly version: 2;
  /** The seeds of the runs that it was made from. */
  readonly seeds: readonly number[];
  /** What checks were tried on, how they failed, and what the answers were. */
  readonly inputs: readonly string[];
  readonly kinds: readonly string[];
  readonly answers: readonly string[];
  readonly bugs: Readonly<
    Record<
      string,
      {
        readonly clauses: readonly string[];
        readonly story: string;
        /** `CHECK FAILED/TRIED`, then parts such as `fails 0-3,7`: see `signOf`. */
        readonly signs: readonly string[];
      }
    >
  >;
}

/** What the lines of signs refer to. */
export type SignatureLists = Pick<SignatureFile, 'inputs' | 'kinds' | 'answers'>;

/** Beside this file; the build copies it. */
export const SIGNATURE_FILE = new URL('signatures.json', import.meta.url);

let known: readonly KnownBug[] | undefined;

/** Every known bug. Read once, and only by a run in which something failed. */
export function knownBugs(): readonly KnownBug[] {
  known ??= bugsIn(readSignatureFile());
  return known;
}

export function readSignatureFile(): SignatureFile {
  const file: SignatureFile = JSON.parse(readFileSync(SIGNATURE_FILE, 'utf8'));
  return file;
}

export function bugsIn({ bugs, ...lists }: SignatureFile): readonly KnownBug[] {
  return Object.entries(bugs).map(([name, { clauses, story, signs }]) => ({
    name,
    clauses,
    story,
    signs: new Map(
      signs.map((line) => {
        const sign = signOf(line, lists);
        return [sign.check, sign] as const;
      }),
    ),
  }));
}

/** Reads `known-parameter-refused 3/12; fails 4,7; holds 0-3; varies 5; kinds 0*3; answers 2; shapes b261`. */
function signOf(line: string, { inputs, kinds, answers }: SignatureLists): Sign {
  const [head = '', ...parts] = line.split('; ');
  const [check = '', counts = ''] = head.split(' ');
  const [failed = 0, tried = 0] = counts.split('/').map(Number);
  const lists = new Map(parts.map((part) => [part.split(' ', 1)[0] ?? '', part.replace(/^\S+ /, '')]));
  const named = (list: string, names = inputs): ReadonlySet<string> =>
    new Set(numbersIn(lists.get(list) ?? '').flatMap((place) => names[place] ?? []));
  return {
    check,
    failed,
    tried,
    fails: named('fails'),
    holds: named('holds'),
    varies: named('varies'),
    kinds: new Map(
      countsIn(lists.get('kinds') ?? '', failed).map(([word, n]) => [kinds[Number(word)] ?? '', n / failed]),
    ),
    answers: named('answers', answers),
    shapes: new Set((lists.get('shapes') ?? '').split(',')),
  };
}

/** `0-3,7` */
function numbersIn(text: string): readonly number[] {
  return text.split(',').flatMap((range) => {
    if (range === '') return [];
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

/** `4*3,7*1`; without a count every failure is of that kind. */
function countsIn(text: string, all: number): readonly (readonly [string, number])[] {
  return text.split(',').flatMap((part) => {
    const [word = '', count = all] = part.split('*');
    return word === '' ? [] : [[word, Number(count)] as const];
  });
}

import { DEFECTS, defectNames } from '../../mock-server/defects/defects.ts';
import type { SignatureFile, SignatureLists } from '../../suites/kit/diagnosis/signature.ts';
import type { Symptom } from '../../suites/kit/diagnosis/symptoms.ts';
import type { SymptomRun } from './symptom-run.ts';

/** Inputs that only one run in all sent say nothing of another. */
const LEAST_RUNS = 2;

/** What a check of a defect showed in all runs of it. */
interface Seen {
  readonly failed: Map<string, number>;
  readonly held: Map<string, number>;
  readonly kinds: Map<string, number>;
  readonly answers: Map<string, number>;
  readonly shapes: Map<string, number>;
}

/** What earlier runs told of other defects, and what their lines refer to: kept as it is. */
type Kept = SignatureLists & Pick<SignatureFile, 'bugs'>;

const NOTHING: Kept = { inputs: [], kinds: [], answers: [], bugs: {} };

/** The signature file that runs against the mock's defects, each alone, make. */
export function learnSignatures(
  runs: readonly SymptomRun[],
  seeds: readonly number[],
  kept = NOTHING,
): SignatureFile {
  const common = commonInputs(runs);
  const seen = new Map(
    defectNames().map((name) => [name, seenIn(runs.filter(({ world }) => world.name === name))] as const),
  );
  const all = [...seen.values()].flatMap((checks) => [...checks]).toSorted(byName);
  const lists = {
    inputs: distinct([...kept.inputs, ...all.flatMap((each) => inputsOf(each, common))]),
    kinds: distinct([...kept.kinds, ...all.flatMap(([, { kinds }]) => [...kinds.keys()])]),
    answers: distinct([...kept.answers, ...all.flatMap(([, { answers }]) => [...answers.keys()]).toSorted()]),
  };
  const bugs = Object.fromEntries(
    [...seen].flatMap(([name, checksOf]): [string, SignatureFile['bugs'][string]][] => {
      const bug = kept.bugs[name];
      if (bug !== undefined) return [[name, bug]];
      if (checksOf.size === 0) return [];
      const { clauses, story } = DEFECTS[name];
      const signs = [...checksOf].toSorted(byName).map(([check, each]) => signLine(check, each, lists));
      return [[name, { clauses, story, signs }]];
    }),
  );
  return { format: 'chat-conformance/signatures', version: 2, seeds, ...lists, bugs };
}

function inputsOf(
  [check, { failed, held }]: readonly [string, Seen],
  common: ReadonlySet<string>,
): readonly string[] {
  return [...failed.keys(), ...held.keys()].toSorted().filter((input) => common.has(`${check} ${input}`));
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** In the order of the checks, so that those of one check stand together. */
function distinct(all: readonly string[]): readonly string[] {
  return [...new Set(all)];
}

function commonInputs(runs: readonly SymptomRun[]): ReadonlySet<string> {
  const seeds = new Map<string, Set<number>>();
  for (const { seed, symptoms } of runs)
    for (const { check, input } of symptoms) {
      const key = `${check} ${input}`;
      seeds.set(key, (seeds.get(key) ?? new Set()).add(seed));
    }
  const all = new Set(runs.map(({ seed }) => seed)).size;
  return new Set([...seeds].flatMap(([key, { size }]) => (size >= Math.min(LEAST_RUNS, all) ? [key] : [])));
}

/** The checks that failed in one of these runs. */
function seenIn(runs: readonly SymptomRun[]): ReadonlyMap<string, Seen> {
  const symptoms = Map.groupBy(
    runs.flatMap((run) => run.symptoms),
    ({ check }) => check,
  );
  const failing = [...symptoms].filter(([, all]) => all.some(({ failed }) => failed !== undefined));
  return new Map(failing.map(([check, all]) => [check, tallied(all)]));
}

function tallied(symptoms: readonly Symptom[]): Seen {
  const seen: Seen = {
    failed: new Map(),
    held: new Map(),
    kinds: new Map(),
    answers: new Map(),
    shapes: new Map(),
  };
  for (const { input, failed } of symptoms) {
    count(failed === undefined ? seen.held : seen.failed, input);
    if (failed !== undefined) {
      count(seen.kinds, failed.kind);
      count(seen.answers, failed.answer);
      count(seen.shapes, failed.shape);
    }
  }
  return seen;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** More tell no bug from another. */
const MOST_SHAPES = 3;

function placesIn(list: readonly string[], isIn: (text: string) => boolean): string {
  return ranges(list.flatMap((text, place) => (isIn(text) ? [place] : [])));
}

function signLine(
  check: string,
  { failed, held, kinds, answers, shapes }: Seen,
  lists: SignatureLists,
): string {
  const [f, h] = [sum(failed), sum(held)];
  const often = [...shapes].toSorted((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  const parts = {
    fails: placesIn(lists.inputs, (input) => failed.has(input) && !held.has(input)),
    holds: placesIn(lists.inputs, (input) => held.has(input) && !failed.has(input)),
    varies: placesIn(lists.inputs, (input) => held.has(input) && failed.has(input)),
    kinds: [...kinds]
      .map(([kind, n]) => counted(lists.kinds.indexOf(kind), n, f))
      .toSorted()
      .join(','),
    answers: placesIn(lists.answers, (answer) => answers.has(answer)),
    shapes: often
      .slice(0, MOST_SHAPES)
      .map(([shape]) => shape)
      .join(','),
  };
  const said = Object.entries(parts).flatMap(([name, text]) => (text === '' ? [] : [`${name} ${text}`]));
  return [`${check} ${f}/${f + h}`, ...said].join('; ');
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, n) => all + n, 0);
}

function counted(name: string | number, times: number, all: number): string {
  return times === all ? String(name) : `${name}*${times}`;
}

/** `0-3,7` */
function ranges(places: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const place of places) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] === place - 1) last[1] = place;
    else parts.push([place, place]);
  }
  return parts.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}

/** One line for each sign, input and kind: what changed can be read. */
export function signatureText({ format, version, seeds, bugs, ...listed }: SignatureFile): string {
  const lists = Object.entries(listed).map(
    ([name, texts]) =>
      `${JSON.stringify(name)}: ${block(
        texts.map((text) => JSON.stringify(text)),
        '[]',
      )}`,
  );
  const members = Object.entries(bugs).map(([name, { clauses, story, signs }]) => {
    const lines = signs.map((sign) => `\n  ${JSON.stringify(sign)}`).join(',');
    return `${JSON.stringify(name)}: {"clauses": ${JSON.stringify(clauses)},\n "story": ${JSON.stringify(story)},\n "signs": [${lines}]}`;
  });
  const head = Object.entries({ format, version, seeds }).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `${block([...head, ...lists, `"bugs": ${block(members, '{}')}`], '{}')}\n`;
}

function block(lines: readonly string[], [open, close]: string): string {
  return `${open}\n${lines.join(',\n')}\n${close}`;
}

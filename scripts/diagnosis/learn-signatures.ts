import { DEFECTS, defectNames } from '../../mock-server/defects/defects.ts';
import type { SignatureFile } from '../../suites/kit/diagnosis/signature.ts';
import type { Symptom } from '../../suites/kit/diagnosis/symptoms.ts';
import type { SymptomRun } from './symptom-run.ts';

/** Inputs that only one run in all sent say nothing of another. */
const LEAST_RUNS = 2;

/** What a check of a defect showed in all runs of it. */
interface Seen {
  readonly failed: Map<string, number>;
  readonly held: Map<string, number>;
  readonly kinds: Map<string, number>;
  readonly shapes: Map<string, number>;
}

/** The signature file that runs against the mock's defects, each alone, make. */
export function learnSignatures(runs: readonly SymptomRun[], seeds: readonly number[]): SignatureFile {
  const common = commonInputs(runs);
  const seen = new Map(
    defectNames().map((name) => [name, seenIn(runs.filter(({ world }) => world.name === name))] as const),
  );
  const all = [...seen.values()].flatMap((checks) => [...checks]).toSorted(byName);
  const lists = {
    inputs: distinct(
      all.flatMap(([check, each]) => tellingInputs(each).filter((input) => common.has(`${check} ${input}`))),
    ),
    kinds: distinct(all.flatMap(([, { kinds }]) => [...kinds.keys()])),
  };
  const bugs = Object.fromEntries(
    [...seen].flatMap(([name, checksOf]) => {
      if (checksOf.size === 0) return [];
      const { clauses, story } = DEFECTS[name];
      const signs = [...checksOf].toSorted(byName).map(([check, each]) => signLine(check, each, lists));
      return [[name, { clauses, story, signs }]];
    }),
  );
  return { format: 'chat-conformance/signatures', version: 1, seeds, ...lists, bugs };
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** In the order of the checks, so that those of one check stand together. */
function distinct(all: readonly string[]): readonly string[] {
  return [...new Set(all)];
}

/** Where a check failed on every input, none tells more than another. */
function tellingInputs({ failed, held }: Seen): readonly string[] {
  return held.size === 0 ? [] : [...failed.keys(), ...held.keys()].toSorted();
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
  const seen: Seen = { failed: new Map(), held: new Map(), kinds: new Map(), shapes: new Map() };
  for (const { input, failed } of symptoms) {
    count(failed === undefined ? seen.held : seen.failed, input);
    if (failed !== undefined) {
      count(seen.kinds, failed.kind);
      count(seen.shapes, failed.shape);
    }
  }
  return seen;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** More tell no bug from another. */
const MOST_SHAPES = 2;

function signLine(
  check: string,
  { failed, held, kinds, shapes }: Seen,
  lists: Pick<SignatureFile, 'inputs' | 'kinds'>,
): string {
  const places = (isIn: (input: string) => boolean): string =>
    held.size === 0 ? '' : ranges(lists.inputs.flatMap((input, place) => (isIn(input) ? [place] : [])));
  const [f, h] = [sum(failed), sum(held)];
  const often = [...shapes].toSorted((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  const parts = {
    fails: places((input) => failed.has(input) && !held.has(input)),
    holds: places((input) => held.has(input) && !failed.has(input)),
    varies: places((input) => held.has(input) && failed.has(input)),
    kinds: [...kinds]
      .map(([kind, n]) => counted(lists.kinds.indexOf(kind), n, f))
      .toSorted()
      .join(','),
    shapes: often
      .slice(0, MOST_SHAPES)
      .map(([shape, n]) => counted(shape, n, f))
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
export function signatureText({ format, version, seeds, inputs, kinds, bugs }: SignatureFile): string {
  const lists = Object.entries({ inputs, kinds }).map(
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

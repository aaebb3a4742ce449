import { availableParallelism, cpus, loadavg } from 'node:os';
import type { Tier } from '../cli/options/check-table.ts';
import { startUp, underLoad } from './measures.ts';
import { aMillion, heldConnections } from './memory.ts';
import { endAll } from './programs.ts';
import { defaultRun, timeToFailure, timeToVerdict } from './runs.ts';

// npm run bench [-- NAME …]: what the product costs, beside bare programs that do the same work in the same run.

/** Ours and the bare program, measured one after the other: what else the machine does meets both. */
interface Round {
  readonly ours: number;
  readonly bare: number;
}

/** An odd number of rounds: the table shows medians. `prepare` starts what all of them share, and nothing of that need be stopped. */
type Bench = readonly [what: string, goal: string, rounds: number, prepare: () => Promise<Measure>];
type Measure = () => Promise<Round>;

const BENCHES: Readonly<Record<string, Bench>> = {
  completions: ['completions for a second of its CPU', 'at least 0.5', 5, () => underLoad(false)],
  streams: ['streams for a second of its CPU', 'at least 0.5', 5, () => underLoad(true)],
  start: ['start to first answer, ms', 'at most 1.5', 9, async () => startUp],
  held: ['10,000 held connections, KB each', 'at most 1.4', 3, async () => heldConnections],
  million: ['memory after 1,000,000 completions, MB (bare: 100,000)', 'bounded', 1, async () => aMillion],
  run: ['exchanges a second of a default run', 'at least 0.6', 5, async () => defaultRun],
  ...toVerdict('smoke', 4, 1.4),
  ...toVerdict('smoke', 8, 1.8),
  ...toVerdict('full', 4, 1.25),
  ...toVerdict('full', 8, 1.5),
  failure: ['first failure, ms (bare: the tenth completion)', 'at most 1', 3, async () => timeToFailure],
};

function toVerdict(tier: Tier, concurrency: number, most: number): Readonly<Record<string, Bench>> {
  const what = `time to verdict, ${tier} at ${concurrency}, ms (bare: the least possible)`;
  const prepare = async () => () => timeToVerdict(tier, concurrency);
  return { [`${tier}-${concurrency}`]: [what, `at most ${most}`, 5, prepare] };
}

async function measure([what, goal, rounds, prepare]: Bench): Promise<void> {
  const all: Round[] = [];
  const round = await prepare();
  while (all.length < rounds) all.push(await round());
  const medianOf = (figure: (round: Round) => number): number => median(all.map(figure));
  const ratio = medianOf(({ ours, bare }) => ours / bare).toFixed(2);
  print(what, whole(medianOf(({ ours }) => ours)), whole(medianOf(({ bare }) => bare)), ratio, goal);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const print = (...cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(BENCHES, name));
if (unknown !== undefined) {
  process.stderr.write(`error: no bench is called "${unknown}": ${Object.keys(BENCHES).join(', ')}\n`);
  process.exit(2);
}

const processor = cpus()[0]?.model.trim() ?? 'an unnamed processor';
const load = loadavg()[0]?.toFixed(1);
process.stdout.write(`${availableParallelism()} x ${processor}, Node ${process.version}, load ${load}\n\n`);
print('measured', 'ours', 'bare', 'ratio', 'goal');
print('---', '---', '---', '---', '---');
for (const [name, bench] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  try {
    await measure(bench);
  } finally {
    await endAll();
  }
}

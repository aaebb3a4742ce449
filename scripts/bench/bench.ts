import { availableParallelism, cpus } from 'node:os';
import { heldConnections, startUp, throughput } from './mock-speed.ts';
import { suitesSpeed } from './suites-speed.ts';

const GOALS = {
  throughput: 'at least 0.75',
  startUp: 'at most 2',
  held: 'at most 1.5',
  suites: 'at least 0.5',
} as const;

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const row = (...cells: string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

const machine = `${availableParallelism()} x ${cpus()[0]?.model.trim() ?? 'an unnamed processor'}, Node ${process.version}`;
process.stdout.write(`${machine}\n\n`);
row('measured', 'ours', 'bare', 'ratio', 'goal');
row('---', '---', '---', '---', '---');

for (const stream of [false, true]) {
  const { mock, bare, ratio } = await throughput(stream);
  const what = stream ? 'streams a second' : 'completions a second';
  row(what, whole(mock), whole(bare), ratio.toFixed(2), GOALS.throughput);
}

const start = await startUp();
row('start to first answer, ms', whole(start.mock), whole(start.bare), start.ratio.toFixed(2), GOALS.startUp);

const held = await heldConnections();
row(
  '10,000 held connections, KB each',
  whole(held.mock),
  whole(held.bare),
  held.ratio.toFixed(2),
  GOALS.held,
);

const suites = await suitesSpeed();
const exchanges = `exchanges a second of a default run (${whole(suites.exchanges)} exchanges)`;
row(exchanges, whole(suites.suites), whole(suites.bare), suites.ratio.toFixed(2), GOALS.suites);

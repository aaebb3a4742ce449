import { availableParallelism, cpus, loadavg } from 'node:os';
import { defaultRun } from './default-run.ts';
import { heldConnections } from './held-connections.ts';
import { longestWait } from './longest-wait.ts';
import type { Bench, Row } from './measure.ts';
import { endAll } from './programs.ts';
import { savedToVerdict } from './saved-to-verdict.ts';
import { startUp } from './start-up.ts';
import { throughProxy } from './through-proxy.ts';
import { completions, streams } from './under-load.ts';

// npm run bench [-- NAME …]: what the product costs, beside bare programs that do the same work in the same run.

const BENCHES = new Map<string, Bench>(
  Object.entries({
    completions,
    streams,
    start: startUp,
    held: heldConnections,
    run: defaultRun,
    proxy: throughProxy,
    wait: longestWait,
    watch: savedToVerdict,
  }),
);

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const print = (...cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

function printRow({ what, ours, bare, ratio, goal }: Row): void {
  print(what, whole(ours), bare === undefined ? '' : whole(bare), ratio?.toFixed(2) ?? '', goal);
}

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !BENCHES.has(name));
if (unknown !== undefined) {
  process.stderr.write(`error: no bench is called "${unknown}": ${[...BENCHES.keys()].join(', ')}\n`);
  process.exit(2);
}

const processor = cpus()[0]?.model.trim() ?? 'an unnamed processor';
process.stdout.write(
  `${availableParallelism()} x ${processor}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}\n\n`,
);
print('measured', 'ours', 'bare', 'ratio', 'goal');
print('---', '---', '---', '---', '---');
for (const [name, bench] of BENCHES) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  try {
    for (const row of await bench()) printRow(row);
  } finally {
    await endAll();
  }
}

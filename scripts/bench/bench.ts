import { availableParallelism, cpus } from 'node:os';
import type { Measured } from './load.ts';
import { heldConnections, startUp, throughput } from './mock-speed.ts';
import { proxySpeed } from './proxy-speed.ts';
import { suitesSpeed } from './suites-speed.ts';

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const row = (...cells: string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

const machine = `${availableParallelism()} x ${cpus()[0]?.model.trim() ?? 'an unnamed processor'}, Node ${process.version}`;
process.stdout.write(`${machine}\n\n`);
row('measured', 'ours', 'bare', 'ratio', 'goal');
row('---', '---', '---', '---', '---');

for (const stream of [false, true])
  compared(stream ? 'streams a second' : 'completions a second', await throughput(stream), 'at least 0.75');
compared('start to first answer, ms', await startUp(), 'at most 2');
compared('10,000 held connections, KB each', await heldConnections(), 'at most 1.5');
const suites = await suitesSpeed();
const ofRun = `exchanges a second of a default run (${whole(suites.exchanges)} exchanges)`;
compared(ofRun, suites, 'at least 0.5');

const { throughput: proxied, delay } = await proxySpeed();
compared('requests a second through the proxy', proxied, 'at least 0.5');
compared('delay of a request by the proxy, µs', delay, 'ours at most 1,000');

function compared(what: string, { mock, bare, ratio }: Measured, goal: string): void {
  row(what, whole(mock), whole(bare), ratio.toFixed(2), goal);
}

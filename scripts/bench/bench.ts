import { availableParallelism, cpus } from 'node:os';
import type { Measured } from './load.ts';
import { longestWait } from './longest-wait.ts';
import { heldConnections, startUp, underLoad } from './mock-speed.ts';
import { proxySpeed } from './proxy-speed.ts';
import { suitesSpeed } from './suites-speed.ts';

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const share = (value: number): string => `${whole(value * 100)} %`;
const row = (...cells: string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

const machine = `${availableParallelism()} x ${cpus()[0]?.model.trim() ?? 'an unnamed processor'}, Node ${process.version}`;
process.stdout.write(`${machine}\n\n`);
row('measured', 'ours', 'bare', 'ratio', 'goal');
row('---', '---', '---', '---', '---');

for (const stream of [false, true]) {
  const what = stream ? 'streams' : 'completions';
  const { ofCpu, ofTime, busy, generator } = await underLoad(stream);
  compared(`${what} a second of the server's CPU`, ofCpu, 'at least 0.75');
  compared(
    `${what} a second; the servers used ${share(busy.mock)} and ${share(busy.bare)} of a core; ` +
      `a whole core could send ${whole(generator)}`,
    ofTime,
    '',
  );
}
compared('start to first answer, ms', await startUp(), 'at most 1.5');
compared('10,000 held connections, KB each', await heldConnections(), 'at most 1.3');
const suites = await suitesSpeed();
const ofRun = `exchanges a second of a default run (${whole(suites.exchanges)} exchanges)`;
compared(ofRun, suites, 'at least 0.6');

const { throughput: proxied, delay } = await proxySpeed();
compared('requests a second through the proxy', proxied, 'at least 0.5');
compared('delay of a request by the proxy, µs', delay, 'ours at most 1,000');

const { ms, fault } = await longestWait();
row(`longest wait beside 1 MB that meets any fault, ms (${fault})`, whole(ms), '', '', 'at most 50');

function compared(what: string, { mock, bare, ratio }: Measured, goal: string): void {
  row(what, whole(mock), whole(bare), ratio.toFixed(2), goal);
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { SoakSample } from './soak-mock.ts';
import { startSoakMock } from './soak-run.ts';
import { SoakTraffic } from './soak-traffic.ts';

const WIDTH = 16;
const SAMPLES = 20;
/** A heap that grows more than this from the second quarter to the last leaks. */
const MOST_GROWTH = 1.2;
/** Handles that may be left when the traffic has ended. */
const MOST_LEFT = 5;
/** A client and the mock keep idle connections for some seconds. */
const SETTLING_MS = 20_000;
const LOOK_EVERY_MS = 500;

const [seconds = 600, seed = 1] = process.argv.slice(2).map(Number);

const row = (...cells: string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

function report(at: string, deeds: number, sample: SoakSample): void {
  const { rss, heap, handles, sandboxes, delay, broken } = sample;
  const sizes = [deeds, rss, heap].map((value) => value.toFixed(0));
  const delays = [delay.p99, delay.max].map((value) => value.toFixed(0));
  row(at, ...sizes, String(handles), String(sandboxes), ...delays, String(broken.length));
}

function mean(samples: readonly SoakSample[]): number {
  return samples.reduce((sum, { heap }) => sum + heap, 0) / samples.length;
}

function problems(before: SoakSample, during: readonly SoakSample[], after: SoakSample): readonly string[] {
  const quarter = Math.floor(during.length / 4);
  const growth = mean(during.slice(-quarter)) / mean(during.slice(quarter, 2 * quarter));
  const left = after.handles - before.handles;
  return [
    ...new Set([...during, after].flatMap(({ broken }) => broken)),
    ...(growth > MOST_GROWTH ? [`the heap grew by a factor of ${growth.toFixed(2)}`] : []),
    ...(left > MOST_LEFT ? [`${left} handles are left`] : []),
    ...(after.sandboxes > 0 ? [`${after.sandboxes} sandboxes are left`] : []),
  ];
}

/** The first sample without more handles than before, or the last one. */
async function settled(): Promise<SoakSample> {
  const latest = performance.now() + SETTLING_MS;
  for (;;) {
    await sleep(LOOK_EVERY_MS);
    const now = await sample();
    if (now.handles - before.handles <= MOST_LEFT || performance.now() > latest) return now;
  }
}

const { mock, sample, stop } = await startSoakMock();
const traffic = new SoakTraffic(mock, seed);
process.stdout.write(`${seconds} s, seed ${seed}, ${WIDTH} deeds at a time, at ${mock.url}\n\n`);
row('s', 'deeds', 'RSS, MB', 'heap, MB', 'handles', 'sandboxes', 'loop delay p99, ms', 'max, ms', 'broken');
row(...Array.from({ length: 9 }, () => '---'));

const before = await sample();
report('0', 0, before);
const start = performance.now();
const end = start + seconds * 1000;
const running = traffic.run(WIDTH, () => performance.now() >= end);
const during: SoakSample[] = [];
for (let nth = 1; nth <= SAMPLES; nth += 1) {
  await Promise.race([sleep(start + (nth * seconds * 1000) / SAMPLES - performance.now()), running]);
  during.push(await sample());
  report(((performance.now() - start) / 1000).toFixed(0), traffic.done, during[nth - 1] ?? before);
}
await running;
const after = await settled();
report('after', traffic.done, after);
await stop();

const ends = [...traffic.ends].toSorted(([one], [other]) => one.localeCompare(other));
process.stdout.write(`\n${ends.map(([what, times]) => `${what}: ${times}`).join(', ')}\n`);
const found = problems(before, during, after);
process.stdout.write(`\n${found.length === 0 ? 'flat, and no invariant is broken' : found.join('\n')}\n`);
process.exitCode = found.length === 0 ? 0 : 1;

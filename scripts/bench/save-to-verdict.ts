import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';

// How long a watch takes from a saved file to the verdict of what failed: `npm run bench:watch`. The service is the mock,
// which breaks one clause until it is mended, again and again. Options after `--` are those of the watch.

const COMMAND = fileURLToPath(new URL('../chat-conformance.ts', import.meta.url));
const ROUNDS = 7;
const LONGEST_MS = 60_000;
const DEFECT = '--defect unknown-fields-stripped';
const CHANGED = /^changed: /m;
const VERDICT = /^What failed before was sent again: .*$/m;
const WAITING = /waiting for changes/;

/** Resolves with the time at which new output first held this text. */
function reader(child: ChildProcess): (wanted: RegExp) => Promise<number> {
  let unread = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    unread += text;
    child.emit('read');
  });
  return async (wanted) => {
    const signal = AbortSignal.timeout(LONGEST_MS);
    for (;;) {
      const match = wanted.exec(unread);
      if (match !== null) {
        unread = unread.slice(match.index + match[0].length);
        return performance.now();
      }
      await once(child, 'read', { signal });
    }
  };
}

async function measured(folder: string, child: ChildProcess): Promise<readonly number[]> {
  const read = reader(child);
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await read(WAITING);
    const savedAt = performance.now();
    writeFileSync(join(folder, 'defect'), '');
    const noticed = (await read(CHANGED)) - savedAt;
    const judged = (await read(VERDICT)) - savedAt;
    took.push(judged);
    process.stdout.write(`noticed after ${seconds(noticed)} s, verdict after ${seconds(judged)} s\n`);
    await read(WAITING);
    writeFileSync(join(folder, 'defect'), DEFECT);
  }
  return took;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}

const folder = mkdtempSync(join(tmpdir(), 'save-to-verdict-'));
writeFileSync(join(folder, 'defect'), DEFECT);
const service = `exec "${process.execPath}" "${COMMAND}" mock --port {port} $(cat defect)`;
const target = ['--base-url', 'http://127.0.0.1:{port}/v1', '--seed', '1', '--tier', 'smoke'];
const env = {
  ...process.env,
  CHAT_API_KEY: builtInWorld.keys[0]?.key ?? '',
  NODE_COMPILE_CACHE: join(folder, 'cache'),
};
const args = [COMMAND, '--watch', 'defect', '--start', service, ...target, ...process.argv.slice(2)];
// Both outputs in one, in their order.
const inOrder = ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, ...args];
const child = spawn('sh', inOrder, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const took = (await measured(folder, child)).toSorted((a, b) => a - b);
  const median = took[Math.floor(took.length / 2)] ?? 0;
  process.stdout.write(`median ${seconds(median)} s, goal 1.5 s; load ${loadavg()[0]?.toFixed(1)}\n`);
} finally {
  child.kill('SIGTERM');
  await once(child, 'close');
  rmSync(folder, { recursive: true, force: true });
}

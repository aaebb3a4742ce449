import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import { COMMAND, endLater, temporaryFolder } from './programs.ts';

const LONGEST_MS = 60_000;
const DEFECT = '--defect unknown-fields-stripped';
const VERDICT = /^What failed before was sent again.*$/m;
const WAITING = /waiting for changes/;

/** With --watch, from a saved file to the verdict of what failed. The service is the mock, mended again and again. */
export async function savedToVerdict() {
  const folder = temporaryFolder();
  const save = (defect: string): void => writeFileSync(join(folder, 'defect'), defect);
  save(DEFECT);
  const read = startWatch(folder);
  return async () => {
    await read(WAITING);
    const savedAt = performance.now();
    save('');
    await read(VERDICT);
    const ours = performance.now() - savedAt;
    await read(WAITING);
    save(DEFECT);
    return { ours };
  };
}

/** Starts the command. The result resolves once its further output holds a text. */
function startWatch(folder: string): (wanted: RegExp) => Promise<void> {
  const service = `exec "${process.execPath}" "${COMMAND}" mock --port {port} $(cat defect)`;
  const target = ['--base-url', 'http://127.0.0.1:{port}/v1', '--seed', '1', '--tier', 'smoke'];
  const args = [COMMAND, '--watch', 'defect', '--start', service, ...target];
  // Both outputs in one, in their order.
  const inOrder = ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, ...args];
  const env = { ...process.env, CHAT_API_KEY: builtInWorld.keys[0]?.key ?? '' };
  const child = spawn('sh', inOrder, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  endLater(child);
  let unread = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (unread += text));
  return async (wanted) => {
    const signal = AbortSignal.timeout(LONGEST_MS);
    let match = wanted.exec(unread);
    for (; match === null; match = wanted.exec(unread)) await once(child.stdout, 'data', { signal });
    unread = unread.slice(match.index + match[0].length);
  };
}

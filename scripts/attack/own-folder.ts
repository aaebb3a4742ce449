import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Ends with whoever holds the other end of its input, however that ends, and takes the folder with it. */
const KEEPER = `
  const remove = () => require('node:fs').rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 20 });
  process.stdin.resume().once('close', remove);
`;

/** Calls `use` with a new folder, which is removed afterwards: also when this process is killed meanwhile. */
export async function withOwnFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  // Detached: Ctrl-C in a terminal ends every process of the group at once.
  const keeper = spawn(process.execPath, ['-e', KEEPER, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const gone = once(keeper, 'exit');
  try {
    return await use(folder);
  } finally {
    keeper.stdin.end();
    await gone;
  }
}

import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { watch } from 'chokidar';
import type { Mock } from '../../../mock-server/start-mock.ts';
import { checkWorld } from '../../../mock-server/world/check-world.ts';
import type { World } from '../../../mock-server/world/world-schema.ts';
import type { MockFlags } from '../options/command-tables.ts';
import { worldOf } from './mock-options.ts';

/** An editor may write a file in several steps. */
const WRITTEN = { stabilityThreshold: 60, pollInterval: 20 };

/**
 * Loads the file of `--world` again whenever it changes: the mock's own world becomes that of the file, and a reset returns
 * to it. A file that cannot be used changes nothing, and `log` hears why. Resolves, once it sees every change, to what ends it.
 */
export async function watchWorld(
  file: string,
  {
    mock,
    flags,
    log,
  }: { readonly mock: Mock; readonly flags: MockFlags; readonly log: (line: string) => void },
): Promise<() => Promise<void>> {
  let loaded: World | undefined = mock.world;
  const load = async (): Promise<void> => {
    try {
      const checked = checkWorld(await worldOf(flags, { faults: [] }));
      if (isDeepStrictEqual(checked.world, loaded)) return;
      loaded = checked.world;
      mock.sandboxes.root.replace(checked);
      log(`loaded ${file} again`);
    } catch (error) {
      // The next one is news, even if it says what the world is.
      loaded = undefined;
      log(`${error instanceof Error ? error.message : String(error)}; the world stays as it was`);
    }
  };
  const watcher = watch(file, { ignoreInitial: true, awaitWriteFinish: WRITTEN });
  let last = Promise.resolve();
  watcher.on('all', () => {
    last = last.then(load);
  });
  // A file that cannot be watched is none that changes.
  watcher.on('error', () => {});
  await once(watcher, 'ready');
  return () => watcher.close();
}

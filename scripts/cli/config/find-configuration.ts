import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../terminal/exit.ts';

/** What a configuration is called. */
export const CONFIGURATION_NAMES = ['chat-conformance.config.ts', 'chat-conformance.config.json'] as const;

/**
 * The configuration file: the named one, or else the nearest one, from the folder upwards to the root of its repository,
 * since what lies above may be somebody else's. Undefined where there is none.
 * @throws {UsageError} Where the named one is missing, or a folder has two.
 */
export function findConfiguration(folder: string, named: string | undefined): string | undefined {
  if (named !== undefined) return existing(resolve(folder, named), named);
  for (let place = resolve(folder); ; place = dirname(place)) {
    const [found, other] = CONFIGURATION_NAMES.map((name) => join(place, name)).filter((file) =>
      existsSync(file),
    );
    if (other !== undefined)
      throw new UsageError(`${place} holds ${CONFIGURATION_NAMES.join(' and ')}: name one with --config`);
    const isRoot = place === dirname(place) || existsSync(join(place, '.git'));
    if (found !== undefined || isRoot) return found;
  }
}

function existing(file: string, named: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file;
  if (named.trim() === '') throw new UsageError('--config (or CHAT_CONFIG) is empty: it must name a file');
  throw new UsageError(`there is no configuration file ${named}`);
}

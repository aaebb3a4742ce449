import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MockOptions } from '../../../../mock-server/start-mock.ts';
import { mockOptions } from '../../../cli/mock/mock-options.ts';
import type { MockFlags } from '../../../cli/options/command-tables.ts';
import type { RecipeStep } from './read-recipes.ts';

/** What `npm run mock` makes of `--tls`, `--fault` and `--scenario`. */
export async function recipeOptions(steps: readonly RecipeStep[]): Promise<MockOptions> {
  const fault = steps.filter(({ verb }) => verb === 'fault').map(({ text }) => text);
  const isTls = steps.some(({ verb, text }) => verb === 'mock' && text === '--tls');
  const flags: MockFlags = { fault, ...(isTls && { tls: true }) };
  const scenario = steps.find(({ verb }) => verb === 'scenario')?.text;
  if (scenario === undefined) return mockOptions(flags, {});
  const folder = await mkdtemp(join(tmpdir(), 'recipe-'));
  const path = join(folder, 'scenario.json');
  try {
    await writeFile(path, scenario);
    return await mockOptions({ ...flags, scenario: path }, {});
  } finally {
    await rm(folder, { recursive: true });
  }
}

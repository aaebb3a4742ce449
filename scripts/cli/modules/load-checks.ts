import { resolve } from 'node:path';
import { z } from 'zod';
import { clauseIds } from '../../../fixtures/clauses/clauses.ts';
import { CHECKS } from '../../../suites/catalogue.ts';
import { type Check, OWN_PREFIX, ownCheck } from '../../../suites/engine/model/check.ts';
import { STAGES } from '../../../suites/engine/model/stimulus.ts';
import { FileError, validated } from '../../../suites/engine/text/read-json-file.ts';
import { importModule, shownPath } from './import-module.ts';

const WORDS = 'must be words in small letters, joined by hyphens';
const words = z.string({ error: WORDS }).regex(/^[a-z\d]+(?:-[a-z\d]+)*$/, { error: WORDS });
const code = z.custom<object>((value) => typeof value === 'function', { error: 'must be a function' });

/** What the engine relies on; the rest is between the check and its stimulus. */
const ownChecks = z
  .array(
    z.object({
      id: words.startsWith(OWN_PREFIX, { error: `must begin with ${OWN_PREFIX}` }),
      clauses: z
        .array(z.enum(clauseIds(), { error: 'must be the ID of a clause, such as REQ-6' }))
        .exactOptional(),
      title: z.string().min(1),
      level: z.enum(['stated', 'implied', 'convention', 'open']).exactOptional(),
      given: z.object({
        name: words,
        stage: z.enum(STAGES),
        cappedCount: z.int().positive(),
        inputs: code,
        cost: code,
        send: code,
      }),
      holds: code,
    }),
    { error: 'must be a list of checks' },
  )
  .min(1, { error: 'must hold at least one check' });

/**
 * The checks that a module of the user declares: its default export, or what it exports as `checks`.
 * @throws {FileError} At the first problem, with its place.
 */
export async function loadChecks(path: string): Promise<readonly Check[]> {
  const file = resolve(path);
  const shown = shownPath(file);
  const exported = await importModule(file);
  const list = exported['default'] ?? exported['checks'];
  if (list === undefined)
    throw new FileError(`${shown} has neither a default export nor "checks": export default [check({ … })]`);
  validated(list, shown, 'list of checks', ownChecks);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the copy that zod has made shares no stimuli
  const checks = (list as readonly Parameters<typeof ownCheck>[0][]).map((each) => ownCheck(each));
  const stimuli = new Map(CHECKS.map(({ given }) => [given.name, given]));
  // Two checks of one ID, or two stimuli of one name, could not be told apart in a report or a journal.
  for (const [i, { id, given }] of checks.entries()) {
    const { name } = given;
    const isOther = stimuli.has(name) && stimuli.get(name) !== given;
    const isForeign = !stimuli.has(name) && !name.startsWith(OWN_PREFIX);
    if (checks.findIndex((each) => each.id === id) < i)
      throw new FileError(`${shown}#/${i}/id: ${id} is declared twice`);
    if (isOther) throw new FileError(`${shown}#/${i}/given/name: another stimulus is called ${name}`);
    if (isForeign)
      throw new FileError(`${shown}#/${i}/given/name: must begin with ${OWN_PREFIX}, got ${name}`);
    stimuli.set(name, given);
  }
  return checks;
}

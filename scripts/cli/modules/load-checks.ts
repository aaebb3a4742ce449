import { resolve } from 'node:path';
import { z } from 'zod';
import { clauseIds } from '../../../fixtures/clauses/clauses.ts';
import { CHECKS } from '../../../suites/catalogue.ts';
import { type Check, OWN_PREFIX, ownCheck } from '../../../suites/engine/model/check.ts';
import { STAGES, type Stimulus } from '../../../suites/engine/model/stimulus.ts';
import { FileError, inFile, validated } from '../../../suites/engine/text/read-json-file.ts';
import { firstLine, importModule, shownPath } from './import-module.ts';

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
  const ids = new Set<string>();
  const stimuli = new Map(CHECKS.map(({ given }) => [given.name, { given, guarded: given }]));
  // Two checks of one ID, or two stimuli of one name, could not be told apart in a report or a journal.
  return checks.map((each, i) => {
    const { id, given } = each;
    const { name } = given;
    if (ids.has(id)) throw new FileError(`${shown}#/${i}/id: ${id} is declared twice`);
    ids.add(id);
    const known = stimuli.get(name) ?? { given, guarded: guardedStimulus(given, shown) };
    if (!stimuli.has(name) && !name.startsWith(OWN_PREFIX))
      throw new FileError(`${shown}#/${i}/given/name: must begin with ${OWN_PREFIX}, got ${name}`);
    if (known.given !== given)
      throw new FileError(`${shown}#/${i}/given/name: another stimulus is called ${name}`);
    stimuli.set(name, known);
    return { ...each, given: known.guarded };
  });
}

const amount = z.number().nonnegative().exactOptional();
const costs = z.object({
  reads: amount,
  refused: amount,
  served: amount,
  counterparts: z.array(z.object({})).exactOptional(),
});
const inputs = z.object({ examples: z.array(z.unknown()), arbitrary: z.object({}).exactOptional() });

/** The same stimulus, which says where it is wrong: the plan of a run relies on its inputs and their costs. */
function guardedStimulus(given: Stimulus, shown: string): Stimulus {
  const whole = <T>(part: string, schema: z.ZodType, make: () => T): T => {
    const place = `${shown}: ${part} of ${given.name}`;
    return inFile(
      () => {
        const made = make();
        validated(made, place, part, schema);
        return made;
      },
      (error) => `${place} throws: ${firstLine(error)}`,
    );
  };
  return {
    ...given,
    inputs: (info) => whole('inputs', inputs, () => given.inputs(info)),
    cost: (input, info) => whole('cost', costs, () => given.cost(input, info)),
  };
}

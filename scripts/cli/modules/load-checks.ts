import { resolve } from 'node:path';
import { z } from 'zod';
import { clauseIds } from '../../../fixtures/clauses/clauses.ts';
import { type Check, OWN_PREFIX, ownCheck } from '../../../suites/engine/model/check.ts';
import { STAGES, type Stimulus } from '../../../suites/engine/model/stimulus.ts';
import { FileError, validated } from '../../../suites/engine/text/read-json-file.ts';
import { ownModule } from '../terminal/own-package.ts';
import { firstLine, importModule, type OwnNames, shownPath } from './import-module.ts';

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
export async function loadChecks(path: string, others: readonly Check[]): Promise<readonly Check[]> {
  const file = resolve(path);
  const shown = shownPath(file);
  const exported = await importModule(file, OWN_NAMES);
  const list = exported['default'] ?? exported['checks'];
  if (list === undefined)
    throw new FileError(`${shown} has neither a default export nor "checks": export default [check({ … })]`);
  validated(list, shown, 'list of checks', ownChecks);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the copy that zod has made shares no stimuli
  const checks = (list as readonly Parameters<typeof ownCheck>[0][]).map((each) => ownCheck(each));
  rejectClashes(checks, others, shown);
  const guarded = new Map(others.map(({ given }) => [given, given]));
  return checks.map((each) => {
    const given = guarded.get(each.given) ?? guardedStimulus(each.given, shown);
    guarded.set(each.given, given);
    return { ...each, given };
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
    try {
      const made = make();
      validated(made, place, part, schema);
      return made;
    } catch (error) {
      throw error instanceof FileError ? error : new FileError(`${place} throws: ${firstLine(error)}`);
    }
  };
  return {
    ...given,
    inputs: (info) => whole('inputs', inputs, () => given.inputs(info)),
    cost: (input, info) => whole('cost', costs, () => given.cost(input, info)),
  };
}

/** Two checks of one ID, or two stimuli of one name, could not be told apart in a report or a journal. */
function rejectClashes(checks: readonly Check[], others: readonly Check[], shown: string): void {
  const ids = new Set<string>();
  const known = new Map<string, Stimulus>(others.map(({ given }) => [given.name, given]));
  for (const [i, { id, given }] of checks.entries()) {
    if (ids.has(id)) throw new FileError(`${shown}#/${i}/id: ${id} is declared twice`);
    ids.add(id);
    const same = known.get(given.name);
    const at = `${shown}#/${i}/given/name`;
    if (same === undefined && !given.name.startsWith(OWN_PREFIX))
      throw new FileError(`${at}: must begin with ${OWN_PREFIX}, got ${given.name}`);
    if (same !== undefined && same !== given)
      throw new FileError(`${at}: another stimulus is called ${given.name}`);
    known.set(given.name, given);
  }
}

/** Always of this release: a check and its engine must agree. */
const OWN_NAMES: OwnNames = {
  files: { 'chat-conformance': ownModule('index').href, 'chat-conformance/checks': ownModule('checks').href },
  always: true,
};

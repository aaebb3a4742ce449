import { parseArgs } from 'node:util';
import { noteLine, writeLine } from '../write-line.ts';
import { EXIT } from '../exit.ts';
import { EQUIVALENT_MUTANTS } from './equivalent-mutants.ts';
import { mutatePart } from './mutate-part.ts';
import { MUTATED_PARTS } from './mutated-parts.ts';
import { keepScore } from './scores.ts';
import { tellEquivalents } from './tell-equivalents.ts';

/** Mutates a part and says what survived; whether every survivor is explained. */
async function isExplained(name: string, anew: boolean): Promise<boolean> {
  const part = MUTATED_PARTS[name];
  if (part === undefined) return false;
  const mutants = await mutatePart(name, part, anew);
  const { equivalent, unexplained, stale } = tellEquivalents(mutants, EQUIVALENT_MUTANTS);
  const noticed = mutants.filter(({ fate }) => fate === 'noticed').length;
  writeLine(
    `${name}: ${noticed} noticed, ${equivalent.length} equivalent, ${unexplained.length} unexplained`,
  );
  for (const { file, line, from, to } of unexplained)
    writeLine(`  survived: ${JSON.stringify({ file, line, from, to })}`);
  for (const key of stale) writeLine(`  listed as equivalent, and did not survive: ${key}`);
  const isDone = unexplained.length + stale.length === 0;
  if (isDone) keepScore(name, mutants);
  return isDone;
}

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { anew: { type: 'boolean', default: false } },
});
const unknown = asked.filter((name) => !Object.hasOwn(MUTATED_PARTS, name));
if (unknown.length > 0) {
  noteLine(`no part is named ${unknown.join(', ')}: the parts are ${Object.keys(MUTATED_PARTS).join(', ')}`);
  process.exitCode = EXIT.usage;
} else {
  for (const name of asked.length > 0 ? asked : Object.keys(MUTATED_PARTS))
    if (!(await isExplained(name, values.anew))) process.exitCode = EXIT.violations;
  if (process.exitCode === undefined)
    writeLine('every survivor is explained; npm run generate puts the scores into docs/mutation.md');
}

import { Argument, Command } from 'commander';
import { EXIT } from '../../cli/terminal/exit.ts';
import { writeLine } from '../../cli/terminal/write-line.ts';
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

const ALL = Object.keys(MUTATED_PARTS);

await new Command('mutate')
  .description('Changes what judges, bit by bit: the tests beside it have to notice.')
  .addArgument(new Argument('[parts...]', 'the parts that are mutated').choices(ALL).default(ALL, 'all'))
  .option('--anew', 'take nothing from the run before', false)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT.usage))
  .action(async (parts: readonly string[], { anew }: { anew: boolean }) => {
    for (const name of parts) if (!(await isExplained(name, anew))) process.exitCode = EXIT.violations;
    if (process.exitCode === undefined)
      writeLine('every survivor is explained; npm run generate puts the scores into docs/mutation.md');
  })
  .parseAsync();

import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { Argument, Command } from 'commander';
import { EXIT } from '../../cli/terminal/exit.ts';
import { writeLine } from '../../cli/terminal/output.ts';

/** A part of the suites, mutated by itself and held to its own tests. */
interface Part {
  /** Globs of the files to mutate; not those that begin with `!`. */
  readonly mutate: readonly string[];
  /** Globs of the tests that must notice. */
  readonly tests: readonly string[];
}

/** Files of sections that send and do not judge. */
const SENDERS = '{*-stimulus,client-stimuli,fetch-through,image-settings,tested-client}';

/** The files of `kit/summary` that turn rulings into verdicts. */
const VERDICTS = 'suites/kit/summary/{check-verdict,clause-results}';

const SECTIONS =
  'models chat-request messages chat-response streaming vision idempotency authentication errors limits credits versioning';

/** The kit first, then the sections in the order of the specification. */
const PARTS: Readonly<Record<string, Part>> = {
  'kit/judging': folder('kit/judging'),
  'kit/reading': folder('kit/reading'),
  'kit/summary': { mutate: [`${VERDICTS}.ts`], tests: [`${VERDICTS}.test.ts`] },
  ...Object.fromEntries(SECTIONS.split(' ').map((name) => [name, folder(name, 'suites/*.test.ts')])),
};

function folder(name: string, ...otherTests: readonly string[]): Part {
  const files = `suites/${name}/**`;
  return {
    mutate: [`${files}/*.ts`, `!${files}/*.test.ts`, `!${files}/${SENDERS}.ts`],
    tests: [`${files}/*.test.ts`, ...otherTests],
  };
}

/** Mutates a part, and returns whether its tests noticed every mutant that the code does not explain. */
async function tryPart(name: string, { mutate, tests }: Part, anew: boolean): Promise<boolean> {
  // The tests run in another process, whose configuration reads this.
  process.env['MUTATION_TESTS'] = JSON.stringify(tests);
  const reports = `reports/mutation/${name.replaceAll('/', '-')}`;
  const stryker = new Stryker({
    configFile: 'scripts/proof/mutation/stryker.config.json',
    appendPlugins: [fileURLToPath(new URL('judgements-only.ts', import.meta.url))],
    mutate: [...mutate],
    force: anew,
    jsonReporter: { fileName: `${reports}.json` },
    incrementalFile: `${reports}-incremental.json`,
  });
  const mutants = await stryker.runMutationTest();
  const count = (...statuses: readonly string[]): number =>
    mutants.filter(({ status }) => statuses.includes(status)).length;
  const survived = count('Survived', 'NoCoverage');
  writeLine(`${name}: ${count('Killed', 'Timeout')} noticed, ${survived} survived`);
  return survived === 0;
}

const ALL = Object.keys(PARTS);

await new Command('mutate')
  .description('Changes the judgements bit by bit: the tests beside them must notice.')
  .addArgument(new Argument('[parts...]', 'the parts to mutate').choices(ALL).default(ALL, 'all'))
  .option('--anew', 'try all mutants again, also those of unchanged code', false)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.conformant : EXIT.usage))
  .action(async (names: readonly string[], { anew }: { anew: boolean }) => {
    for (const [name, part] of Object.entries(PARTS))
      if (names.includes(name) && !(await tryPart(name, part, anew))) process.exitCode = EXIT.violations;
  })
  .parseAsync();

import { withTextsOfFiles } from '../../../mock-server/answers/answer-files.ts';
import { AnswerRuleError } from '../../../mock-server/answers/answer-rule.ts';
import type { AnswerWords } from '../../../mock-server/answers/answer-schema.ts';
import { compileAnswers, readAnswerRules } from '../../../mock-server/answers/compile-answers.ts';
import { jsonPointer } from '../../../mock-server/protocol/service-error.ts';
import type { World } from '../../../mock-server/world/world.ts';
import { UsageError } from '../terminal/exit.ts';

export interface ChosenAnswers {
  /** Of the command line. */
  readonly lines: readonly string[];
  /** Those of the scenario file; undefined: it has none. */
  readonly staged: readonly AnswerWords[] | undefined;
  readonly scenario: string | undefined;
}

/**
 * The rules of the lines, with the texts of the files that they name, and then those of the scenario. Throws a
 * UsageError for a wrong rule, or one that is for no request of this world.
 */
export async function chosenAnswers(
  { lines, staged = [], scenario }: ChosenAnswers,
  world: World,
): Promise<readonly AnswerWords[]> {
  const place = (index: number, pointer: string): string => {
    const line = lines[index];
    if (line === undefined) return `${scenario}: /answers/${index - lines.length}${pointer}`;
    return `--answer ${JSON.stringify(line)}${pointer && `: ${pointer}`}`;
  };
  try {
    const answers = [...(await withTextsOfFiles(readAnswerRules(lines), '.')), ...staged];
    compileAnswers(answers, world);
    return answers;
  } catch (error) {
    if (!(error instanceof AnswerRuleError)) throw error;
    const [index, ...path] = error.path;
    throw new UsageError(`${place(Number(index), jsonPointer(path))}: ${error.problem}`);
  }
}

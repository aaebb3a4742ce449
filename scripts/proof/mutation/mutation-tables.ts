import { markdownTable } from '../../../suites/kit/reporting/markdown-table.ts';
import { EQUIVALENT_MUTANTS } from './equivalent-mutants.ts';
import { readScores, type Score } from './scores.ts';

/** How many mutants of each part were noticed, and how many cannot be. */
export function scoreTable(): string {
  const scores = Object.entries(readScores());
  const all = scores.reduce((sum, [, score]) => added(sum, score), { noticed: 0, survived: 0 });
  const rows = [...scores, ['all', all] as const].map(([part, { noticed, survived }]) => [
    part,
    String(noticed + survived),
    String(noticed),
    String(survived),
    `${(Math.floor((noticed / (noticed + survived)) * 1000) / 10).toFixed(1)} %`,
  ]);
  return markdownTable(['part', 'mutants', 'noticed', 'equivalent', 'score'], rows);
}

function added(one: Score, other: Score): Score {
  return { noticed: one.noticed + other.noticed, survived: one.survived + other.survived };
}

/** Every equivalent mutant below its reason. */
export function equivalentList(): string {
  return EQUIVALENT_MUTANTS.map(({ because, mutants }) => {
    const lines = mutants.map(({ file, line, from, to }) => {
      const where = line === from ? '' : `, in ${code(line)}`;
      return `- ${code(file)}: ${code(from)} becomes ${code(to)}${where}`;
    });
    return `${because}\n\n${lines.join('\n')}`;
  }).join('\n\n');
}

/** Code between one backtick more than it holds in a row. */
function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

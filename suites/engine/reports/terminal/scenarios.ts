import type { ScenarioResult } from '../../model/summary.ts';
import { printable } from '../../text/printable.ts';
import { type StyleText, VERDICT_STYLES } from '../colours.ts';
import { counted } from '../display-verdict.ts';
import { wrapWords } from '../wrap-words.ts';

const WIDTH = 110;

/** Which reports of the scenarios of a caller are wanted. */
export interface ScenarioDetail {
  /** Everything that the caller sent, in time. */
  readonly timeline: boolean;
  /** What each check says of each scenario, and what the caller wrote. */
  readonly verdicts: boolean;
}

/** The scenario × check table, scenario by scenario: a table of thirteen columns fits no screen. */
function verdictLines({ verdicts }: ScenarioResult, styleText: StyleText): readonly string[] {
  const byVerdict = Map.groupBy(verdicts, ({ verdict, reason }) => `${verdict}\n${reason}`);
  return [...byVerdict.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { verdict, reason } = first;
    const why = reason === '' ? '' : `: ${printable(reason)}`;
    const names = same.map(({ check }) => check);
    return [`    ${styleText(VERDICT_STYLES[verdict], verdict)}${why}`, wrapWords('      ', names, WIDTH)];
  });
}

function outputLines({ output }: ScenarioResult): readonly string[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => `    | ${printable(line, 200)}`);
}

/** What a caller did in each scenario. */
export function scenarioLines(
  scenarios: readonly ScenarioResult[],
  { timeline, verdicts }: ScenarioDetail,
  styleText: StyleText,
): readonly string[] {
  if (!timeline && !verdicts) return [];
  return scenarios.flatMap((scenario) => [
    `  ${styleText('bold', scenario.name)}: ${counted(scenario.requests.length, 'request')}, ${scenario.end}`,
    ...(verdicts ? verdictLines(scenario, styleText) : []),
    ...(timeline ? scenario.timeline.map((line) => `    ${printable(line, 200)}`) : []),
    ...(verdicts ? outputLines(scenario) : []),
  ]);
}

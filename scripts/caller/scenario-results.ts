import { pictured, wholeTimeline } from '../../suites/caller/observed/evidence.ts';
import type { CallerEnd, Timeline } from '../../suites/caller/observed/timeline.ts';
import type { ScenarioResult } from '../../suites/kit/model/summary.ts';
import { callerEnding } from './caller-end.ts';

const LONGEST_OUTPUT = 20_000;

function outputOf(end: CallerEnd): string {
  return end.kind === 'watched' ? '' : end.output.slice(-LONGEST_OUTPUT);
}

/** What a caller did in each scenario that was played, with the verdicts of the checks on it. */
export function scenarioResults(
  timelines: readonly Timeline[],
  verdicts: readonly ScenarioResult['verdicts'][],
): readonly ScenarioResult[] {
  return timelines.flatMap((timeline, index) =>
    timeline.scenario === 'watched'
      ? []
      : [
          {
            name: timeline.scenario,
            end: callerEnding(timeline.end),
            output: outputOf(timeline.end),
            verdicts: verdicts[index] ?? [],
            timeline: wholeTimeline(timeline),
            requests: timeline.requests.map(pictured),
          },
        ],
  );
}

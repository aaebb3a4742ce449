import type { Entry } from '../../../suites/kit/model/journal.ts';
import { surveyFrom } from '../../../suites/kit/journal/entries.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
import type { Survey } from '../../../suites/kit/model/target-info.ts';
import type { Standing } from '../proved-world.ts';
import { SIZED } from '../size.ts';

const TIMEOUT_MS = 10_000;

/** What a run within the caps of a live target is told of a service before anything is drawn. */
export async function surveyOf({ baseUrl, keys }: Standing): Promise<Survey> {
  const entries: Entry[] = [];
  await runSuites({
    ...SIZED.unaided,
    target: { kind: 'live', baseUrl, keys, profile: {}, headers: {} },
    checks: [],
    invariants: [],
    seed: 1,
    timeoutMs: TIMEOUT_MS,
    journal: { append: (entry) => void entries.push(entry), failure: () => undefined },
  });
  const found = entries.find((entry) => entry.type === 'survey');
  if (found === undefined) throw new TypeError('a run that came to its end has no survey');
  return surveyFrom(found.survey, {});
}

import type { CheckResult, Summary } from '../model/summary.ts';
import type { Style } from './colours.ts';
import type { Verdict } from '../model/verdict.ts';
import { CLAUSES, type ClauseId, type Section } from '../../../fixtures/clauses/clauses.ts';

/** A verdict as files show it: that of a failure which a baseline lists says so. */
export function displayVerdict({ verdict, known }: Pick<CheckResult, 'verdict' | 'known'>): string {
  return known === undefined ? verdict : `${verdict}, known`;
}

/** The reason, and that of the baseline with it. */
export function reasonOf({ reason, known = [] }: Pick<CheckResult, 'reason' | 'known'>): string {
  return [...known, reason].filter((text) => text !== '').join(': ');
}

/** What fails the run by itself: not the target's known failures, and no warning. */
export function isFailing({ verdict, known }: Pick<CheckResult, 'verdict' | 'known'>): boolean {
  return verdict === 'error' || (verdict === 'fail' && known === undefined);
}

/** How the terminal speaks of each verdict; the order is that of the report. */
export const VERDICT_WORDS: Readonly<Record<Verdict, { readonly word: string; readonly style: Style }>> = {
  fail: { word: 'failed', style: 'red' },
  error: { word: 'broken', style: 'red' },
  warn: { word: 'warned', style: 'yellow' },
  pass: { word: 'passed', style: 'green' },
  observed: { word: 'observed', style: 'cyan' },
  inconclusive: { word: 'inconclusive', style: 'yellow' },
  'not-exercised': { word: 'not exercised', style: 'dim' },
};

const isVerdict = (word: string): word is Verdict => Object.hasOwn(VERDICT_WORDS, word);

/** The verdicts, the worst first. */
export const VERDICTS: readonly Verdict[] = Object.keys(VERDICT_WORDS).filter(isVerdict);

/** `18 of 277`; empty where a check tried all of its inputs. */
export function triedOf({ inputs }: CheckResult): string {
  return inputs === undefined ? '' : `${inputs.tried} of ${inputs.of}`;
}

/** One line on how much was left to other seeds; none where every check tried all of its inputs. */
export function inputLines({ checks, cutShort }: Pick<Summary, 'checks' | 'cutShort'>): readonly string[] {
  const parts = checks.filter(({ inputs }) => inputs !== undefined);
  const [most] = parts.toSorted((one, other) => untried(other) - untried(one));
  if (most === undefined) return [];
  const many = parts.length === 1 ? '1 check' : `${parts.length} checks`;
  const own = parts.length === 1 ? 'its' : 'their';
  const others = cutShort.length === 0 ? ': another seed tries others' : '';
  return [`${many} tried a part of ${own} inputs, ${most.id} ${triedOf(most)}${others}`];
}

function untried({ inputs }: CheckResult): number {
  return inputs === undefined ? 0 : inputs.of - inputs.tried;
}

/** The section of the specification that a check stands in: that of its first clause. */
export function sectionOf({
  clauses: [first],
}: {
  readonly clauses: readonly ClauseId[];
}): Section | undefined {
  return first === undefined ? undefined : CLAUSES[first].section;
}

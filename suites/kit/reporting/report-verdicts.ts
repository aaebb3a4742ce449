import type { Style } from './terminal/report-style.ts';
import type { Verdict } from '../model/verdict.ts';

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

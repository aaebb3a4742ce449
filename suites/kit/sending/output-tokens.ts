import type { Outcome } from '../model/exchange.ts';

const REPORTED = /"(?:completion|output|generated|candidates)_?tokens?(?:_?count)?"\s*:\s*(\d+)/gi;

/**
 * The output tokens a completion spent: what its answer reports, whole or streamed, under any of the usual
 * names; else what was asked for, or as many as its bytes can hold, so that no account says too little.
 */
export function outputTokensOf(outcome: Outcome, asked: number): number {
  if (outcome.kind === 'not-sent' || outcome.answer === undefined) return asked;
  const text = Buffer.from(outcome.answer.body).toString('latin1');
  const last = [...text.matchAll(REPORTED)].at(-1)?.[1];
  return last === undefined ? Math.ceil(Math.min(asked, text.length)) : Number(last);
}

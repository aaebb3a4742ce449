import type { Recording } from '../journal/recording.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Spent } from '../model/summary.ts';
import { sentChat } from '../reading/answers.ts';
import { isCharged } from '../sending/budget.ts';
import { askedOutput, latin1 } from '../sending/sent-request.ts';

/** What a run may have cost at most. */
export function spentOn({ record, sent, info }: Recording): Omit<Spent, 'uncertain'> {
  const left = record.filter(({ id }) => sent.has(id));
  const charged = left.filter(isCharged);
  const known = info?.models.map(({ id, contextTokens }) => [id, contextTokens] as const);
  const sizes = new Map<unknown, number | undefined>(known);
  const tokens = charged.map((each) => outputTokensOf(each, sizes.get(sentChat(each.request)?.['model'])));
  return {
    requests: left.length,
    completions: charged.length,
    outputTokens: tokens.reduce((sum, each) => sum + each, 0),
  };
}

const REPORTED = /"(?:completion|output|generated|candidates)_?tokens?(?:_?count)?"\s*:\s*(\d+)/gi;

/** No model writes more in one answer. A check may ask for more, and lose the answer. */
const LONGEST_OUTPUT = 1_000_000;

/**
 * The output tokens of a completion: what its answer reports, whole or streamed, under any of the usual names; else the
 * most that it can be, by what was asked for, by its bytes and by the size of its model.
 */
function outputTokensOf({ request, outcome }: Exchange, contextTokens = LONGEST_OUTPUT): number {
  const most = Math.min(askedOutput(request.body), contextTokens);
  if (outcome.kind === 'not-sent' || outcome.answer === undefined) return most;
  const { body, whole } = outcome.answer;
  const last = [...latin1(body).matchAll(REPORTED)].at(-1)?.[1];
  return last === undefined ? Math.ceil(Math.min(most, whole?.bytes ?? body.length)) : Number(last);
}

/** Milliseconds that the answers to these requests took together. */
export function answerTimes(exchanges: readonly Exchange[]): number {
  const times = exchanges.map(({ outcome }) => (outcome.kind === 'answered' ? outcome.answer.endedAt : 0));
  return times.reduce((sum, time) => sum + time, 0);
}

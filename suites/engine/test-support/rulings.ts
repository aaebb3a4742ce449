import { setTimeout as wait } from 'node:timers/promises';
import * as fc from 'fast-check';
import { coreChats } from '../../../fixtures/chats/accepted-chats.ts';
import { chatSettings } from '../inputs/provoking/chat-drafts.ts';
import type { Check } from '../model/check.ts';
import { type Draft, type Exchange, PRIMARY, secondTryOf } from '../model/exchange.ts';
import type { Ruling } from '../model/ruling.ts';
import type { Sender, Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { answerOf } from '../reading/answers.ts';
import { missingAnswer, rulingOf } from '../running/judge-trial.ts';
import { type AnswerForTest, answered } from './exchange.ts';
import { infoForTest } from './target-info.ts';

type Way = Exclude<keyof Sender, 'deployment'>;

/** How a service written by hand answers; `as` is the way in which the stimulus sends. */
export type ServiceForTest = (draft: Draft, as: Way) => AnswerForTest;

/** A sender without a network: every request is answered by hand, and takes its time where its stimulus notes when it leaves. */
export function senderForTest(service: ServiceForTest): Sender {
  const exchange = (draft: Draft, as: Way): Exchange => {
    const { method, path, headers = {}, credential = PRIMARY } = draft;
    const body = typeof draft.body === 'string' ? new TextEncoder().encode(draft.body) : draft.body;
    const ended = answered(service(draft, as), undefined, { method, path, headers, credential, body });
    return draft.after === undefined ? ended : { ...ended, id: secondTryOf(draft.after) };
  };
  return {
    send: async (draft) => {
      const ended = exchange(draft, 'send');
      if (draft.hold === undefined) return ended;
      await draft.hold();
      await wait(answerOf(ended).endedAt);
      return ended;
    },
    sendCounterpart: async (draft) => exchange(draft, 'sendCounterpart'),
    provoke: async (draft) => exchange(draft, 'provoke'),
  };
}

/** The rulings of a check on everything that must be tried, and on some random draws, against a service by hand. */
export async function rulingsOf(
  check: Check,
  service: ServiceForTest,
  info: TargetInfo = infoForTest(),
): Promise<readonly Ruling[]> {
  const { examples: first, arbitrary } = check.given.inputs(info);
  const random = arbitrary === undefined ? [] : fc.sample(arbitrary, { numRuns: 50, seed: 1 });
  const sender = senderForTest(service);
  const trials = await Promise.all(
    [...first, ...random].map((input) => check.given.send(input, sender, info)),
  );
  return trials.map((trial) => ruled(check, trial, info));
}

/** The ruling of a check on a trial, as a run has it; without the duties that it bears on. */
export function ruled(check: Check, trial: Trial, info: TargetInfo = infoForTest()): Ruling {
  const ruling = rulingOf(check, trial, info, missingAnswer(trial));
  if (ruling instanceof Error) throw ruling;
  const { duties: _, ...rest } = ruling;
  return rest;
}

/** The kinds of those rulings, each once. */
export async function kindsOf(
  check: Check,
  service: ServiceForTest,
  info?: TargetInfo,
): Promise<readonly Ruling['kind'][]> {
  const rulings = await rulingsOf(check, service, info);
  return [...new Set(rulings.map(({ kind }) => kind))];
}

export const SERVED: AnswerForTest = { body: { choices: [{ message: { content: 'Hi.' } }] } };
export const REFUSED: AnswerForTest = {
  status: 400,
  body: { error: { code: 'invalid', message: 'No.', request_id: 'r-1' } },
};

/** A service that serves every counterpart, and gives this answer to everything else. */
export function servingCounterparts(answer: AnswerForTest): ServiceForTest {
  return (_, as) => (as === 'sendCounterpart' ? SERVED : answer);
}

const CORE = new Set(coreChats(chatSettings(infoForTest())).map((chat) => JSON.stringify(chat)));

const isCore = ({ body }: Draft): boolean =>
  CORE.has(String(body).replace(/"model":"[^"]*"/, '"model":"small"'));

/** A service that serves only counterparts that are core chats, for any model, and gives this answer to everything else. */
export function servingCore(answer: AnswerForTest): ServiceForTest {
  return (draft, as) => (as === 'sendCounterpart' && isCore(draft) ? SERVED : answer);
}

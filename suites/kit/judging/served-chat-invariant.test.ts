import { expect, test } from 'vitest';
import type { Judgement } from '../model/check.ts';
import type { Exchange } from '../model/exchange.ts';
import { answered } from '../test-support/exchange.ts';
import { SERVED } from '../test-support/rulings.ts';
import { surveyForTest } from '../test-support/survey.ts';
import { HOLDS, inconclusive, notExercised, type Ruling } from '../model/ruling.ts';
import { servedChatInvariant } from './served-chat-invariant.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };

let keys = 0;

function served(body: object = CHAT, key = `key-${++keys}`, answer = SERVED): Exchange {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return answered(answer, body, { headers });
}

const judgeBy = (holds: Judgement, survey = surveyForTest()) =>
  servedChatInvariant({ id: 'any', clauses: ['RES-1'], title: 'any', holds }).judge(survey);
const judge = (ruling: Ruling = HOLDS) => judgeBy(() => ruling);

test('judges every faithful chat that was served, whichever its model', () => {
  const each = judge();
  expect(each(served())).toEqual(HOLDS);
  expect(each(served({ ...CHAT, model: 'sharp' }))).toEqual(HOLDS);
});

test('judges a trial of that one chat, by what the survey knows', () => {
  const [chat, survey] = [served(), surveyForTest()];
  const holds: Judgement = (trial, known) =>
    trial.exchanges.length === 1 && trial.exchanges[0] === chat && known === survey
      ? HOLDS
      : inconclusive('of something else');
  expect(judgeBy(holds, survey)(chat)).toEqual(HOLDS);
});

test('says nothing of a chat that departs from the specification, or of a refusal', () => {
  expect(judge()(served({ ...CHAT, n: 1 }))).toBeUndefined();
  expect(judge()(served(CHAT, 'refused', { status: 400 }))).toBeUndefined();
});

test('says nothing of what was armed', () => {
  expect(judge()({ ...served(), armed: 'refusal' })).toBeUndefined();
});

test('says nothing where the Idempotency-Key is missing or was used before', () => {
  const each = judge();
  expect(each(answered(SERVED, CHAT))).toBeUndefined();
  expect(each(served(CHAT, 'twice'))).toEqual(HOLDS);
  expect(each(served(CHAT, 'twice'))).toBeUndefined();
  expect(each(served({ ...CHAT, n: 1 }, 'once'))).toBeUndefined();
  expect(each(served(CHAT, 'once'))).toBeUndefined();
});

test('keeps of what could not be judged that which a profile can change', () => {
  expect(judge(notExercised('elsewhere'))(served())).toBeUndefined();
  const hinted = notExercised('under another name', 'pin it');
  expect(judge(hinted)(served())).toEqual(hinted);
  expect(judge(inconclusive('unknown'))(served())).toEqual(inconclusive('unknown'));
});

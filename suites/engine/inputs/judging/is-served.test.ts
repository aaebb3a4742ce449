import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { isServed, notServed } from './is-served.ts';

const ruling = (answer: AnswerForTest) => isServed(answered(answer), infoForTest());

test('holds given a completion', () => {
  expect(ruling({ body: { choices: [] } })).toEqual({ kind: 'holds' });
});

test.each([
  [{ status: 400 }, 'refused'],
  [{ status: 500 }, 'failed'],
  [{ status: 300 }, 'redirected'],
  [{ status: 302 }, 'redirected'],
])('is violated given %j, with one code each for a refusal, a failure and a redirection', (answer, code) => {
  expect(ruling(answer)).toMatchObject({ kind: 'violated', finding: { code } });
});

test.each([{ status: 402 }, { status: 429 }, { body: { text: 'Hi.' } }])(
  'is inconclusive given no credit, a rate limit, or an unrecognised answer: %j',
  (answer) => {
    expect(ruling(answer).kind).toBe('inconclusive');
  },
);

function kindOf(answer: AnswerForTest): string | undefined {
  return notServed(answered(answer), infoForTest())?.kind;
}

test('leaves refusals to others, whatever their status', () => {
  expect(kindOf({ status: 400, body: '' })).toBe('not-exercised');
  expect(kindOf({ body: { error: { code: 'x', message: 'y' } } })).toBe('not-exercised');
});

test.each([
  [500, 'the service failed: status 500'],
  [302, 'neither accepted nor refused: status 302'],
  [101, 'neither accepted nor refused: status 101'],
])('takes failures, redirections and the like for no answer: %i', (status, reason) => {
  expect(notServed(answered({ status }), infoForTest())).toEqual({ kind: 'inconclusive', reason });
});

test('accepts any successful answer, a completion or not', () => {
  const answers = [{ body: { choices: [] } }, { body: '<html>' }, { status: 200 }, { status: 299 }];
  expect(answers.map(kindOf)).toEqual(answers.map(() => undefined));
});

import { expect, test } from 'vitest';
import { builtInWorld } from '../world/built-in-world.ts';
import { AnswerPlan, neverGiven } from './answer-plan.ts';
import { compileAnswers } from './compile-answers.ts';
import { readQuestion } from './question.ts';

function planOf(...rules: readonly object[]): { plan: AnswerPlan; logged: string[] } {
  const logged: string[] = [];
  const plan = new AnswerPlan((line) => logged.push(line));
  plan.arm(compileAnswers(rules, builtInWorld));
  return { plan, logged };
}

function ask(plan: AnswerPlan, content: string): string | undefined {
  const { chosen, take } = plan.offer(
    readQuestion({ messages: [{ role: 'user', content }] }, { model: 'a', key: 'b', stream: false }),
  );
  take();
  return chosen?.text;
}

function askOften(plan: AnswerPlan, times: number): readonly (string | undefined)[] {
  return Array.from({ length: times }, () => ask(plan, 'a'));
}

test('answers by the first rule that matches, and the nth or every so many of its requests', () => {
  const { plan } = planOf(
    { match: { nth: 2 }, text: 'second' },
    { match: { every: 3 }, text: 'third of the rest' },
    { match: { contains: 'never' }, text: 'never' },
    { times: 2, text: 'twice' },
  );
  expect(askOften(plan, 8)).toEqual([
    'twice',
    'second',
    'twice',
    'third of the rest',
    undefined,
    undefined,
    'third of the rest',
    undefined,
  ]);
  expect(plan.rules().map(({ seen, fired, over }) => [seen, fired, over])).toEqual([
    [8, 1, false],
    [7, 2, false],
    [0, 0, false],
    [2, 2, true],
  ]);
  expect(plan.unfired().map(neverGiven)).toEqual(['answer_3 (for {"contains":"never"}) was never given']);
});

test('takes the texts of a list in turn', () => {
  const { plan } = planOf({ text: ['one', 'two'] });
  expect(askOften(plan, 3)).toEqual(['one', 'two', 'one']);
});

test('counts nothing for an offer that is not taken', () => {
  const { plan } = planOf({ text: ['one', 'two'] });
  const question = readQuestion({ messages: [] }, { model: 'a', key: 'b', stream: false });
  plan.offer(question);
  expect(plan.offer(question).chosen?.text).toBe('one');
});

test('stops using an expression that needs exponential time, and goes on with the next rule', () => {
  const { plan, logged } = planOf({ match: { matches: '^(a+)+$' }, text: 'slow' }, { text: 'next' });
  const hard = `${'a'.repeat(64)}!`;
  expect([ask(plan, hard), ask(plan, hard), ask(plan, 'a')]).toEqual(['next', 'next', 'next']);
  expect(logged).toEqual([
    'answer_1 is not used any more: its expression needed more than 250 ms for a text',
  ]);
  expect(plan.rules()[0]).toMatchObject({ over: true, fired: 0 });
});

test('gives the expressions of all rules the time of one', () => {
  const slow = { match: { matches: '^(a+)+$' }, text: 'slow' };
  const { plan, logged } = planOf(slow, slow, slow, { text: 'next' });
  expect(ask(plan, `${'a'.repeat(64)}!`)).toBe('next');
  expect(logged).toEqual([
    'answer_1 is not used any more: its expression needed more than 250 ms for a text',
    'answer_2 was passed over once: the expressions of other rules took the time of the request',
    'answer_3 was passed over once: the expressions of other rules took the time of the request',
  ]);
  expect(plan.rules().map(({ over }) => over)).toEqual([true, false, false, false]);
});

test('gives a request that asks the rules again no further time', () => {
  const slow = { match: { matches: '^(a+)+$' }, text: 'slow' };
  const { plan } = planOf(slow, slow, { text: 'next' });
  const messages = [{ role: 'user', content: `${'a'.repeat(64)}!` }];
  const question = readQuestion({ messages }, { model: 'a', key: 'b', stream: false });
  for (let n = 0; n < 3; n += 1) expect(plan.offer(question).chosen?.text).toBe('next');
  expect(plan.rules().map(({ over }) => over)).toEqual([true, false, false]);
});

test('refuses the chat whose template makes too large an answer, and says which', () => {
  const { plan, logged } = planOf({ template: '{{user}}'.repeat(2000) });
  const said = 'answer_1 makes an answer of more than 16 MB of this request';
  expect(() => ask(plan, 'a'.repeat(10_000))).toThrow(
    expect.objectContaining({ kind: 'unanswered', particulars: { detail: said } }),
  );
  expect(logged).toEqual([said]);
});

test('tells of a rule that is not checked, and disarms by ID', () => {
  const { plan, logged } = planOf({ text: '', unchecked: true }, { text: 'b' });
  expect(logged).toEqual(['answer_1 is unchecked: it may break the specification']);
  expect([plan.disarm('answer_1'), plan.disarm('answer_1')]).toEqual([true, false]);
  expect(ask(plan, 'a')).toBe('b');
  plan.clear();
  expect(plan.isSilent).toBe(true);
});

import { expect, test } from 'vitest';
import { CLAUSES } from '../fixtures/clauses/clauses.ts';
import { CHECKS } from './catalogue.ts';
import { INVARIANTS } from './invariants.ts';
import { infoForTest } from './kit/test-support/target-info.ts';

test.each(CHECKS)('$id: is not exercised given a trial that sent nothing', ({ holds }) => {
  expect(holds({ exchanges: [] }, infoForTest()).kind).toBe('not-exercised');
});

test('takes the level of the first clause, but for what follows from it in some other way', () => {
  const others = [...CHECKS, ...INVARIANTS].flatMap(({ id, clauses: [first], level }) =>
    level === undefined || level === CLAUSES[first].level ? [] : `${id} ${level}`,
  );
  expect(others).toEqual([
    'listed-models-available convention',
    'client-raises-typed-error convention',
    'client-reads-error-code convention',
    'client-reads-error-items convention',
    'front-error-object convention',
    'declared-coding implied',
    'json-content-type convention',
    'no-key-echoed convention',
    'refusal-utf8 implied',
    'response-utf8 implied',
    'stream-utf8 implied',
  ]);
});

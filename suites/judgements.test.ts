import { expect, test } from 'vitest';
import { CLAUSES } from '../fixtures/clauses/clauses.ts';
import { CHECKS, INVARIANTS } from './catalogue.ts';
import { kindsOf, REFUSED, SERVED, servingCore, servingCounterparts } from './engine/test-support/rulings.ts';
import { infoForTest } from './engine/test-support/target-info.ts';

test('takes the level of the first clause, but for what follows from it in some other way', () => {
  const others = [...CHECKS, ...INVARIANTS].flatMap(({ id, clauses: [first], level }) =>
    level === undefined || level === CLAUSES[first].level ? [] : `${id} ${level}`,
  );
  expect(others.toSorted()).toEqual([
    'client-raises-typed-error convention',
    'client-reads-error-code convention',
    'declared-coding implied',
    'front-error-object convention',
    'json-content-type convention',
    'listed-models-available convention',
    'no-key-echoed convention',
    'refusal-utf8 implied',
    'response-utf8 implied',
    'stream-utf8 implied',
  ]);
});

const INFO = infoForTest({ secondModels: [{ id: 'small' }, { id: 'other' }] });

/** What each service must be judged: it serves all, refuses what it must, refuses all, and fails in place of refusing. */
const JUDGED: readonly (readonly [kinds: string, ids: readonly string[]])[] = [
  [
    'violated holds not-exercised inconclusive',
    [
      'wrong-model-refused',
      'wrong-messages-refused',
      'wrong-temperature-refused',
      'wrong-max-tokens-refused',
      'wrong-stream-refused',
      'known-parameter-refused',
      'unheard-of-field-refused',
      'tool-calls-refused',
      'responses-api-absent',
      'wrong-role-refused',
      'wrong-content-refused',
      'unlisted-models-refused',
      'unlisted-model-is-error',
      'other-keys-models-refused',
      'misplaced-images-refused',
      'blind-models-refuse-images',
    ],
  ],
  ['holds holds not-exercised violated', ['malformed-bodies-survived', 'odd-chats-survived']],
];

test.each(JUDGED.flatMap(([kinds, ids]) => ids.map((id) => [id, kinds] as const)))(
  '%s: every draw is %s given a service that serves, refuses, refuses all, and fails',
  async (id, kinds) => {
    const check = CHECKS.find((each) => each.id === id);
    if (check === undefined) throw new Error(`no check is called ${id}`);
    // Images in place of text are counterparts of others.
    const serving = id.endsWith('survived') ? servingCore : servingCounterparts;
    const services = [() => SERVED, serving(REFUSED), () => REFUSED, serving({ status: 500 })];
    const judged = await Promise.all(services.map((service) => kindsOf(check, service, INFO)));
    expect(judged).toEqual(kinds.split(' ').map((kind) => [kind]));
  },
);

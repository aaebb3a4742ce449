import { expect, test } from 'vitest';
import { type ClauseId, CLAUSES, clauseIds } from '../fixtures/clauses/clauses.ts';
import { CALLER_CHECKS } from './caller-catalogue.ts';
import type { CallerCheck } from './caller/judge-caller.ts';
import { CHECKS, INVARIANTS } from './catalogue.ts';
import { drawsOf } from './engine/inputs/draws.ts';
import { type Check, levelOf, type Invariant } from './engine/model/check.ts';
import type { Draft } from './engine/model/exchange.ts';
import { deploymentForTest } from './engine/test-support/deployment.ts';
import { REFUSED, SERVED, senderForTest, servingCounterparts } from './engine/test-support/rulings.ts';
import { infoForTest } from './engine/test-support/target-info.ts';

const ALL = [...CHECKS, ...INVARIANTS];

const EVERY = [...ALL, ...CALLER_CHECKS];

function standFor(clause: ClauseId): readonly string[] {
  return EVERY.filter(({ clauses }) => clauses.includes(clause)).map(({ id }) => id);
}

test('has a check for every clause', () => {
  expect(clauseIds().filter((clause) => standFor(clause).length === 0)).toEqual([]);
});

function dutiesOf({ decides }: Check | Invariant | CallerCheck): readonly string[] {
  if (decides === undefined) return [];
  return typeof decides === 'string' ? [decides] : Object.keys(decides);
}

test('has a check for every duty of every clause', () => {
  for (const clause of clauseIds()) {
    const { duties = [], furtherDuties = [] } = CLAUSES[clause];
    const decided = EVERY.filter(({ clauses }) => clauses.includes(clause)).flatMap(dutiesOf);
    expect([clause, ...new Set(decided)]).toEqual(
      expect.arrayContaining([clause, ...duties, ...furtherDuties]),
    );
  }
});

test('lets every check decide only what one of its clauses names', () => {
  const strange = EVERY.flatMap((each) => {
    const named = new Set(
      each.clauses.flatMap((id) => [...(CLAUSES[id].duties ?? []), ...(CLAUSES[id].furtherDuties ?? [])]),
    );
    return dutiesOf(each).flatMap((duty) => (named.has(duty) ? [] : `${each.id}: ${duty}`));
  });
  expect(strange).toEqual([]);
});

test('judges callers by what binds them, and services by what binds those', () => {
  const bound = (clauses: readonly ClauseId[]): string => clauses.map((id) => CLAUSES[id].bound).join(' ');
  expect(CALLER_CHECKS.filter(({ clauses }) => bound(clauses) !== 'caller')).toEqual([]);
  expect(ALL.filter(({ clauses }) => bound(clauses).includes('caller'))).toEqual([]);
});

test('gives every check a unique ID, in words joined by hyphens', () => {
  const ids = EVERY.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
});

test('gives every stimulus a unique name, and at least one draw in a run with small caps', () => {
  const stimuli = [...new Set(CHECKS.map(({ given }) => given))];
  const names = stimuli.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(stimuli.filter(({ cappedCount }) => cappedCount < 1)).toEqual([]);
});

const requestOf = ({ method, path, body, credential }: Draft): string =>
  JSON.stringify([method, path, String(body), credential]);

test.each([...new Set(CHECKS.map(({ given }) => given))])(
  '$name: sends no more than its cost says, whatever is answered',
  async ({ inputs, cost, send }) => {
    const info = infoForTest({ control: true, secondModels: [{ id: 'small' }, { id: 'other' }] });
    for (const answer of [SERVED, REFUSED, { status: 503 }])
      for (const service of [() => answer, servingCounterparts(answer)])
        for (const input of inputs(info).examples.slice(0, 12)) {
          let own = 0;
          const shared: string[] = [];
          const sender = senderForTest((draft, as) => {
            if (as === 'sendCounterpart') shared.push(requestOf(draft));
            else own += 1;
            return service(draft, as);
          });
          await send(input, { ...sender, ...deploymentForTest() }, info);
          const { reads = 0, refused = 0, served = 0, counterparts = [] } = cost(input, info);
          expect(own).toBeLessThanOrEqual(reads + refused + served);
          expect(counterparts.map(requestOf)).toEqual(expect.arrayContaining(shared));
        }
  },
);

/** Where a service may be wrong about any one of many, a small run must leave a part of them to its seed. */
const MANY = {
  'known-parameters': 2,
  'unheard-of-fields': 2,
  'tool-calls': 2,
  'unlisted-models': 2,
  'wrong-key': 2,
  'malformed-bodies': 2,
  // An odd order and an odd text in one.
  'odd-chats': 1,
};

test('leaves a part of many inputs to the seed, and never more fixed ones than a small run sends', () => {
  const stimuli = [...new Set(CHECKS.map(({ given }) => given))];
  expect(stimuli.filter(({ cappedCount, fixedCount = cappedCount }) => fixedCount > cappedCount)).toEqual([]);
  const info = infoForTest();
  for (const [name, bySeed] of Object.entries(MANY)) {
    const given = stimuli.find((each) => each.name === name);
    const ids = (seed: number) => (given ? drawsOf(given, info, seed, 'few').map(({ id }) => id) : []);
    expect(ids(1)).toHaveLength(given?.cappedCount ?? 0);
    expect(ids(2).filter((id) => !ids(1).includes(id)).length).toBeGreaterThanOrEqual(bySeed);
  }
});

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

test('explains every level weaker than stated, unless it is open', () => {
  const unexplained = ALL.filter((each) => {
    const level = levelOf(each);
    return (level === 'implied' || level === 'convention') && each.because === undefined;
  });
  expect(unexplained.map(({ id }) => id)).toEqual([]);
});

test('never renames a check: reports and baselines rely on these IDs', () => {
  expect(EVERY.map(({ id, clauses }) => `${id} ${clauses.join(' ')}`).toSorted()).toMatchSnapshot();
});

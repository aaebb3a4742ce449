import { expect, test } from 'vitest';
import { CLAUSES, type ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { VARIANTS } from './variants.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { VARIANT_WORLDS } from './variant-worlds.ts';
import { faultsIn, summaryOf } from '../test-support/summary-of.ts';

/** Whether a text for people says how more could be exercised. */
const SAYS_THE_WAY_OUT = /profile|see [A-Z]+-\d/;

/** The clauses of the service that nothing was said of. That on time is left out: it depends on who is fast. */
function unexercised({ clauses }: Summary): readonly ClauseId[] {
  const without = clauses.filter(({ id, bound, verdict }) => {
    if (bound === 'caller' || id === 'STR-2') return false;
    return verdict === 'not-exercised' || verdict === 'inconclusive';
  });
  return without.map(({ id }) => id);
}

function waysOut({ checks }: Summary, clause: ClauseId): readonly string[] {
  const without = checks.filter(
    ({ clauses, verdict }) => clauses.includes(clause) && verdict === 'not-exercised',
  );
  return without.map(({ reason, hint }) => hint ?? reason).filter((text) => SAYS_THE_WAY_OUT.test(text));
}

const timeless = (clauses: readonly ClauseId[]) => clauses.filter((id) => id !== 'STR-2');

test.concurrent.each(VARIANT_WORLDS.map((world) => [world.name, world] as const))(
  'finds nothing wrong with %s, and passes nothing that it cannot read',
  async (_, world) => {
    const [{ unreadable, untestable } = { unreadable: [], untestable: [] }] = world.variants;
    const summary = await summaryOf(world, 'live');
    expect(faultsIn(summary)).toEqual([]);
    expect(summary.outcome).toBe('conformant');
    expect(unexercised(summary).toSorted()).toEqual(timeless([...unreadable, ...untestable]).toSorted());
    expect(timeless(unreadable).filter((clause) => waysOut(summary, clause).length === 0)).toEqual([]);
  },
);

test('chooses nothing twice when variants of different points are combined', () => {
  const chosen = Map.groupBy(
    VARIANTS.flatMap(({ choices, point }) => Object.keys(choices).map((field) => ({ field, point }))),
    ({ field }) => field,
  );
  const twice = [...chosen].filter(([, choices]) => new Set(choices.map(({ point }) => point)).size > 1);
  expect(twice.map(([field]) => field)).toEqual([]);
});

test('says of no clause of callers that a variant leaves it unexercised', () => {
  const said = VARIANTS.flatMap(({ unreadable, untestable }) => [...unreadable, ...untestable]);
  expect(said.filter((id) => CLAUSES[id].bound === 'caller')).toEqual([]);
});

import { expect, test } from 'vitest';
import { RECORDED_EXCHANGES } from '../fixtures/recorded/test-support/recorded-exchanges.ts';
import { CHECKS, INVARIANTS } from './catalogue.ts';
import { acceptedChats } from './engine/inputs/provoking/accepted-chats-stimulus.ts';
import type { Exchange } from './engine/model/exchange.ts';
import type { Ruling } from './engine/model/ruling.ts';
import { exchangeOf } from './engine/test-support/recorded.ts';
import { infoForTest } from './engine/test-support/target-info.ts';

const info = infoForTest();

/** The invariants of an answer to a chat that should be served, except that it was served: the status shows that. */
const JUDGES = CHECKS.filter(({ given, id }) => given === acceptedChats && !id.endsWith('-served'));

/** Of an uncertain outcome nothing is asked. */
function rulingsOn(exchange: Exchange): readonly (readonly [id: string, ruling: Ruling | undefined])[] {
  if (exchange.outcome.kind !== 'answered') return [];
  return [
    ...JUDGES.map(({ id, holds }) => [id, holds({ exchanges: [exchange] }, info)] as const),
    ...INVARIANTS.flatMap(({ id, judge, ofRun }) => {
      const ofAll = ofRun?.(info);
      ofAll?.note(exchange);
      const rulings = (ofAll?.rulings() ?? []).map(([, ruling]) => ruling);
      return [judge(info)(exchange), ...rulings].map((ruling) => [id, ruling] as const);
    }),
  ];
}

test.each(RECORDED_EXCHANGES.map((recording) => [recording.name, recording] as const))(
  'finds in %s what is wrong, and nothing else',
  async (_, recording) => {
    const exchange = await exchangeOf(recording);
    expect(exchange.outcome.kind).toBe(recording.reads.uncertain ? 'uncertain' : 'answered');
    const violated = rulingsOn(exchange).filter(([, ruling]) => ruling?.kind === 'violated');
    expect(violated.map(([id]) => id).toSorted()).toEqual([...(recording.violates ?? [])].toSorted());
  },
);

import { faithfulChat } from '../engine/inputs/judging/served-chat-invariant.ts';
import type { Invariant } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, violated } from '../engine/model/ruling.ts';
import { endpointOf, hasSucceeded, isSuccess } from '../engine/reading/answers.ts';

/** One uncertain outcome may be a coincidence, and so may two. */
const MANY = 3;

type Declaration = Pick<Invariant, 'id' | 'clauses' | 'title'>;

/** What is promised and never arrives whole, while everything else does, is not left to chance. */
function someIsWhole(what: 'response' | 'stream', declaration: Declaration): Invariant {
  return {
    ...declaration,
    because: 'a kind of request that never gets a whole answer, while others do, is not answered as promised',
    ofWholeRun: true,
    judge: () => () => undefined,
    ofRun: (info) => {
      let whole: Exchange | undefined;
      let isAnyAnswered = false;
      const broken: Exchange[] = [];
      return {
        note: (exchange) => {
          const { request } = exchange;
          if (endpointOf(request) !== 'chat') return;
          isAnyAnswered ||= exchange.outcome.kind === 'answered';
          const isWhole = hasSucceeded(exchange);
          if (!isWhole && !isBrokenOff(exchange)) return;
          const chat = faithfulChat(request, info);
          if (chat === undefined || (chat['stream'] === true) !== (what === 'stream')) return;
          if (isWhole) whole ??= exchange;
          else broken.push(exchange);
        },
        rulings: () => {
          if (whole !== undefined) return [[whole, HOLDS]];
          if (broken.length < MANY || !isAnyAnswered) return [];
          const actual = `${broken.length} that broke off: ${reasonOf(broken[0])}`;
          return broken.map((each) => [
            each,
            violated('never-whole', `a ${what} that arrives whole`, actual),
          ]);
        },
      };
    },
  };
}

/** It began with success. A timeout or a gateway error without a beginning leaves everything open (ERR-7). */
function isBrokenOff({ outcome }: Exchange): boolean {
  return outcome.kind === 'uncertain' && outcome.answer !== undefined && isSuccess(outcome.answer);
}

function reasonOf(exchange: Exchange | undefined): string {
  return exchange === undefined || exchange.outcome.kind === 'answered' ? '' : exchange.outcome.reason;
}

export const someStreamIsWhole: Invariant = someIsWhole('stream', {
  id: 'some-stream-is-whole',
  clauses: ['STR-3'],
  title: 'completes at least one stream, where it answers other chats',
});

export const someResponseIsWhole: Invariant = someIsWhole('response', {
  id: 'some-response-is-whole',
  clauses: ['SVC-1'],
  title: 'completes at least one response, where it answers streams',
});

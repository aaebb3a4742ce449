import { HEADERS } from '../../fixtures/chats/chat.ts';
import { MANY, ofAll, rightOnce } from '../engine/inputs/judging/served-chat-invariant.ts';
import type { Invariant } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { readOnce } from '../engine/reading/answers.ts';
import { dispositionOf } from '../engine/reading/errors/disposition.ts';
import { readError, isCodeOrId } from '../engine/reading/errors/read-error.ts';
import { exactText, jsonText, readJson, valueAt } from '../engine/reading/json.ts';

const PIN = 'pin "error.request_id" in a profile';

type ErrorId = NonNullable<ReturnType<typeof errorIdIn>>;

/** What is, or may be, the request ID of one error. */
const errorIdIn = readOnce((exchange: Exchange, info: TargetInfo) => {
  const { outcome, request } = exchange;
  if (outcome.kind !== 'answered') return undefined;
  const disposition = dispositionOf(exchange, info);
  if (disposition !== 'refused' && disposition !== 'failed') return undefined;
  const { answer } = outcome;
  const [error, body] = [readError(answer, info), readJson(answer)];
  if (error === undefined || error.requestId === 'absent' || body.kind === 'no-json') return undefined;
  const { code, message, otherCandidates, unknownMembers } = error;
  const id = error.requestId === 'unrecognised' ? undefined : error.requestId;
  if (id !== undefined && !isCodeOrId(id.value)) return undefined;
  const places = [...(id === undefined ? [] : [id.pointer]), ...otherCandidates, ...unknownMembers];
  return {
    exchange,
    key: request.headers[HEADERS.idempotencyKey],
    pointer: id?.pointer ?? error.pointer,
    /** With every digit; absent where none was recognised. */
    exact: id && exactText(answer, id.pointer),
    /** Where else the request ID may be, by a known name. */
    otherCandidates,
    /** What stands everywhere that it may be. */
    held: places.map((each) => `${each}: ${JSON.stringify(valueAt(body.value, each))}`),
    /** Whether it is a refusal with a code and a message. */
    isWholeRefusal: disposition === 'refused' && typeof code === 'object' && typeof message === 'object',
  };
});

/** No two errors of a run have the same request ID. */
export const requestIdUnique: Invariant = {
  id: 'request-id-unique',
  clauses: ['ERR-2'],
  title: 'gives every error its own request ID',
  decides: 'has request IDs that differ',
  because: 'an ID that two requests share identifies neither',
  ofWholeRun: true,
  judge: (info) => {
    const owners = new Map<string, ErrorId>();
    return (exchange) => {
      const id = errorIdIn(exchange, info);
      if (id?.exact === undefined) return id && UNRECOGNISED;
      const owner = owners.get(id.exact) ?? id;
      owners.set(id.exact, owner);
      // With the same Idempotency-Key the stored answer, with its request ID, may come back (IDEM-4).
      const isRepeated = id.key !== undefined && id.key === owner.key;
      return owner === id || isRepeated ? HOLDS : shared(id, owner);
    };
  },
};

const UNRECOGNISED = notExercised('no request ID was recognised in the error object', PIN);

/** Where another member can be the request ID, the shared value may be something else, such as a path. */
function shared({ exact = '', pointer, otherCandidates }: ErrorId, owner: ErrorId): Ruling {
  const actual = `${jsonText(exact).slice(0, 60)}, as in ${owner.exchange.id}`;
  if (otherCandidates.length === 0)
    return violated('shared-request-id', 'a unique request ID', actual, pointer);
  const others = otherCandidates.join(', ');
  return notExercised(
    `the request ID may be at ${pointer} (where errors share a value) or at ${others}`,
    PIN,
  );
}

/**
 * What is the same in every error, and all that may stand in its place, identifies no request. It is where an ID should be,
 * so ERR-1 is kept.
 */
export const requestIdDiffers: Invariant = {
  id: 'request-id-differs',
  clauses: ['ERR-2'],
  title: 'puts something into errors that differs from request to request',
  because: 'an ID that all requests share identifies none',
  ofWholeRun: true,
  unexercised: `too few errors had a request ID that was recognised; if it has an unknown name, ${PIN}`,
  ...ofAll(
    (exchange, info) => {
      const id = errorIdIn(exchange, info);
      return id?.exact === undefined ? undefined : id;
    },
    (all) => {
      if (new Set(all.map(({ key }) => key)).size < MANY) return [];
      const actual = `${all[0]?.held[0]?.slice(0, 60)} in all ${all.length} errors`;
      const isDifferent = new Set(all.map(({ held }) => held.join())).size > 1;
      return rightOnce(all, isDifferent ? all[0] : undefined, ({ pointer }) =>
        violated('constant-request-id', 'a request ID that no other error has', actual, pointer),
      );
    },
  ),
};

/** Errors with a code and a message; where no ID was recognised, everything else in one may be its ID, unless other errors have it too. */
export const requestIdPresent: Invariant = {
  id: 'request-id-present',
  clauses: ['ERR-1'],
  title: 'has in every error something that other errors do not have',
  ofWholeRun: true,
  ...ofAll(errorIdIn, (all) => {
    const whole = all.filter(({ isWholeRefusal }) => isWholeRefusal);
    const holders = Map.groupBy(
      whole.flatMap(({ held }) => held),
      (each) => each,
    );
    return whole.map(({ exchange, exact, held, pointer }) => {
      if (exact !== undefined) return [exchange, HOLDS];
      if (held.some((each) => (holders.get(each)?.length ?? 0) < MANY)) return [exchange, UNRECOGNISED];
      const actual = `nothing else than ${held.join(', ').slice(0, 60)}, as in other errors`;
      return [exchange, violated('no-request-id', 'a request ID in the error object', actual, pointer)];
    });
  }),
};

import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import { CHECKS, INVARIANTS } from '../../suites/catalogue.ts';
import { requestViolations } from '../../suites/engine/inputs/judging/request-violations.ts';
import { ofAll } from '../../suites/engine/inputs/judging/served-chat-invariant.ts';
import type { Check, Invariant } from '../../suites/engine/model/check.ts';
import { type Exchange, isCutShort, type SentRequest } from '../../suites/engine/model/exchange.ts';
import { type Ruling, violated } from '../../suites/engine/model/ruling.ts';
import type { TargetInfo } from '../../suites/engine/model/target.ts';
import { endpointOf, readOnce } from '../../suites/engine/reading/answers.ts';
import { describeSuccess, wasServed } from '../../suites/engine/reading/errors/disposition.ts';
import { streamIsBuffered } from '../../suites/streaming/stream-is-buffered.ts';

/** The stimuli that send one GET: whoever sends it, the answer shows the same. By the endpoint that they ask. */
const OF_ONE_GET: Readonly<Record<string, 'models' | 'vision'>> = {
  'model-listings': 'models',
  'vision-answer': 'vision',
  'vision-answers': 'vision',
};

/** A key that the service does not accept shows nothing of the endpoint. */
function mayBeWrongKey({ outcome, request }: Exchange): boolean {
  if (request.credential.kind === 'none' || outcome.kind !== 'answered') return true;
  return outcome.answer.status === 401 || outcome.answer.status === 403;
}

function ofOneGet({ given, holds }: Check): Pick<Invariant, 'judge'> {
  const asked = OF_ONE_GET[given.name];
  const judge: Invariant['judge'] = (info) => (exchange) =>
    endpointOf(exchange.request) !== asked || mayBeWrongKey(exchange)
      ? undefined
      : holds({ exchanges: [exchange] }, info);
  return { judge };
}

function ofAllThatPass({ holds }: Check): Pick<Invariant, 'judge' | 'ofRun'> {
  return ofAll(
    (exchange) =>
      exchange.outcome.kind === 'answered' && !isCutShort(exchange.outcome.answer) ? exchange : undefined,
    ([first, ...more], info) =>
      first === undefined ? [] : [[first, holds({ exchanges: [first, ...more] }, info)]],
  );
}

function invariantOf(check: Check, judging: (check: Check) => Pick<Invariant, 'judge' | 'ofRun'>): Invariant {
  const { id, title, level, clauses } = check;
  const [first, ...others] = clauses;
  if (first === undefined) throw new TypeError(`${id} decides no clause`);
  return { id, title, level, clauses: [first, ...others], ...judging(check) };
}

/** What a service must refuse. That it refused may have another reason, but that it served has none. */
const NEVER_SERVED: readonly (readonly [string, ClauseId, string])[] = [
  ['unknown-field-not-served', 'REQ-6', 'serves no chat with an unknown field'],
  ['tool-calls-not-served', 'SVC-5', 'serves no chat with anything that belongs to tool calls'],
  ['wrong-temperature-not-served', 'REQ-3', 'serves no chat whose temperature is not a number'],
  ['wrong-max-tokens-not-served', 'REQ-4', 'serves no chat whose max_tokens is not a whole number'],
  ['wrong-stream-not-served', 'REQ-5', 'serves no chat whose stream is not a boolean'],
];

const violationsIn = readOnce(({ body }: SentRequest, { models }: TargetInfo) =>
  body === undefined ? [] : requestViolations(body, models),
);

function servedAlthough(exchange: Exchange, clause: ClauseId, info: TargetInfo): Ruling | undefined {
  if (endpointOf(exchange.request) !== 'chat' || !wasServed(exchange, info)) return undefined;
  const found = violationsIn(exchange.request, info).find(({ clauses }) => clauses.includes(clause));
  if (found === undefined) return undefined;
  return violated('accepted', `an error, because ${found.because}`, describeSuccess(exchange), found.place);
}

/** What the exchanges of others show of a service: each judges one, whatever provoked it. */
export const SERVICE_JUDGEMENTS: readonly Invariant[] = [
  ...CHECKS.filter(({ given }) => given.name in OF_ONE_GET).map((check) => invariantOf(check, ofOneGet)),
  invariantOf(streamIsBuffered, ofAllThatPass),
  ...NEVER_SERVED.map(([id, clause, title]): Invariant => {
    const judge: Invariant['judge'] = (info) => (exchange) => servedAlthough(exchange, clause, info);
    return { id, clauses: [clause], title, judge };
  }),
  // A target that ends may have been restarted, which a proxy cannot tell from a crash.
  ...INVARIANTS.map(({ ofDeath: _ofDeath, ...invariant }) => invariant),
];

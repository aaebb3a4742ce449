import { HEADERS, type JsonObject, written } from '../../../../fixtures/chats/chat.ts';
import type { Check, Invariant, RunJudge } from '../../model/check.ts';
import type { Exchange, SentRequest } from '../../model/exchange.ts';
import { HOLDS, type Ruling } from '../../model/ruling.ts';
import type { TargetInfo } from '../../model/target.ts';
import { endpointOf, readOnce, sentChat } from '../../reading/answers.ts';
import { dispositionOf } from '../../reading/errors/disposition.ts';
import { parseWritten } from '../../reading/json.ts';
import { listedTo, requestViolations } from './request-violations.ts';

type Twin = Pick<Check, 'title' | 'decides' | 'because' | 'thresholds' | 'holds'> &
  Pick<Invariant, 'clauses'>;

/**
 * What a check judges of some chats, as an invariant of the answer to every valid and accepted chat, for any model, key
 * and stimulus. Requests with an Idempotency-Key that was used before are left out: they may get the answer of another
 * request (IDEM-4).
 */
export function everyServedChat(id: string, twin: Twin): Invariant {
  const { title, clauses, decides, because, thresholds, holds } = twin;
  return {
    id,
    clauses,
    title: `${title}, for any model and key`,
    ...(typeof decides === 'string' && { decides }),
    ...(because !== undefined && { because }),
    ...(thresholds !== undefined && { thresholds }),
    judge: (info) => {
      const used = new Set<string>();
      return (exchange) => {
        if (!isFirstUse(exchange, used) || exchange.armed !== undefined) return undefined;
        if (dispositionOf(exchange, info) !== 'served' || !faithfulChat(exchange.request, info))
          return undefined;
        const ruling = holds({ exchanges: [exchange] }, info);
        // "Not exercised" is worth a report only if a profile can change it.
        return ruling.kind === 'not-exercised' && ruling.hint === undefined ? undefined : ruling;
      };
    },
  };
}

function isFirstUse({ request }: Exchange, used: Set<string>): boolean {
  const key = request.headers[HEADERS.idempotencyKey];
  if (key === undefined || used.has(key)) return false;
  used.add(key);
  return true;
}

const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/**
 * The chat of a request that keeps the specification, relies on none of its open points, and can be read in one way
 * only, whatever a reader makes of a number beyond its types; undefined for any other request. Read once.
 */
export const faithfulChat: (request: SentRequest, info: TargetInfo) => JsonObject | undefined =
  readOnce(read);

function read(request: SentRequest, info: TargetInfo): JsonObject | undefined {
  const { body, headers } = request;
  if (body === undefined || endpointOf(request) !== 'chat') return undefined;
  if (!JSON_TYPE.test(headers[HEADERS.contentType] ?? '')) return undefined;
  const listed = listedTo(request.credential, info);
  const chat = listed && sentChat(request);
  if (listed === undefined || chat === undefined || !isWrittenAsUsual(chat, body)) return undefined;
  return requestViolations(body, listed).length === 0 && asksForOutput(chat) ? chat : undefined;
}

/** A maximum below 1 may mean no output or unlimited output (REQ-8). */
function asksForOutput({ max_tokens }: JsonObject): boolean {
  return max_tokens === undefined || Number(max_tokens) >= 1;
}

/** Parsers differ on duplicate fields. A number may be written in any way. */
function isWrittenAsUsual(chat: JsonObject, body: Uint8Array): boolean {
  const text = Buffer.from(body).toString();
  try {
    return text === JSON.stringify(chat) || text === JSON.stringify(parseWritten(text, written));
  } catch {
    // It is nested too deeply to be serialized.
    return false;
  }
}

type RunRulings = ReturnType<RunJudge['rulings']>;

/** The part of an invariant that rules on what is read of all exchanges of a run together. */
export function ofAll<T>(
  find: (exchange: Exchange, info: TargetInfo) => T | undefined,
  rule: (all: readonly T[], info: TargetInfo) => RunRulings,
): Pick<Invariant, 'judge' | 'ofRun'> {
  return {
    judge: () => () => undefined,
    ofRun: (info) => {
      const all: T[] = [];
      return {
        note: (exchange) => {
          const found = find(exchange, info);
          if (found !== undefined) all.push(found);
        },
        rulings: () => rule(all, info),
      };
    },
  };
}

/** What is wrong once or twice may be a coincidence. */
export const MANY = 3;

/** Rules on exchanges of which one that is `right` is enough, and that are too many to be wrong by chance. */
export function rightOnce<T extends { readonly exchange: Exchange }>(
  all: readonly T[],
  right: T | undefined,
  wrong: (each: T) => Ruling,
  many = MANY,
): RunRulings {
  if (right !== undefined) return [[right.exchange, HOLDS]];
  return all.length < many ? [] : all.map((each) => [each.exchange, wrong(each)]);
}

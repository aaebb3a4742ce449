import { HEADERS } from '../../fixtures/chats/wire.ts';
import {
  type Answer,
  type Exchange,
  type Outcome,
  PRIMARY,
  type SentRequest,
} from '../../suites/kit/model/exchange.ts';
import type { Redactor } from '../../suites/kit/redacting/redact.ts';
import { certainIfSaid, decodedOutcome } from '../../suites/kit/sending/target-connection.ts';
import { CONNECTION_BROKE, GATEWAY_ERROR, isGatewayStatus } from '../../suites/kit/sending/transport.ts';
import { headerIn, headerRecord } from './hop-by-hop.ts';
import { type KeyRing, shownHeaders, shownAddress, WITHHELD } from './key-ring.ts';
import { MOST_KEPT, type RelayedAnswer, type RelayedExchange } from './relayed-exchange.ts';

/** How the IDs of exchanges begin that a proxy saw. */
const ID_PREFIX = 'passing';

/** IDs are in the order of their arrival. */
function exchangeId({ n }: Pick<RelayedExchange, 'n'>): string {
  return `${ID_PREFIX}/${String(n).padStart(9, '0')}`;
}

/** What passed as the judgements see it, without any key. `basePath`: that of the target's base URL. */
export async function exchangeOf(
  relayed: RelayedExchange,
  basePath: string,
  ring: KeyRing,
): Promise<Exchange> {
  // The caller asked for a coding, gets the bytes as they came, and reads what is in them: so do the judgements.
  const plain = await decodedOutcome(outcomeOf(relayed), { keepBytes: MOST_KEPT });
  const outcome = certainIfSaid(plain, {});
  const redactor = ring.redactorFor(relayed);
  return {
    id: exchangeId(relayed),
    request: requestOf(relayed, basePath, redactor),
    outcome: await redactor.outcome(redactedStatus(outcome)),
  };
}

/** A cookie is a secret, like the key. */
function redactedStatus(outcome: Outcome): Outcome {
  if (outcome.kind === 'not-sent' || outcome.answer?.headers['set-cookie'] === undefined) return outcome;
  const headers = { ...outcome.answer.headers, 'set-cookie': WITHHELD };
  return { ...outcome, answer: { ...outcome.answer, headers } };
}

function requestOf(relayed: RelayedExchange, basePath: string, redactor: Redactor): SentRequest {
  const { method, url, rawHeaders } = relayed;
  const hasKey = headerIn(rawHeaders, HEADERS.authorization) !== undefined;
  return {
    method,
    path: shownAddress(belowBase(url, basePath), redactor),
    headers: shownHeaders(rawHeaders, redactor),
    credential: hasKey ? PRIMARY : { kind: 'none' },
    body: sentBody(relayed, redactor),
  };
}

const COMPRESSED = Buffer.from('[a compressed body]');

function sentBody({ body, rawHeaders }: RelayedExchange, redactor: Redactor): Uint8Array | undefined {
  if (body.size === 0) return undefined;
  const coding = headerIn(rawHeaders, 'content-encoding') ?? 'identity';
  return coding === 'identity' ? redactor.bytes(body.read().body) : COMPRESSED;
}

/** A path that does not begin with that of the base URL climbs out of it: `/../responses`. */
export function belowBase(url: string, basePath: string): string {
  if (url === basePath || url.startsWith(`${basePath}/`) || url.startsWith(`${basePath}?`))
    return url.slice(basePath.length);
  return '/..'.repeat(basePath.split('/').length - 1) + url;
}

function outcomeOf(relayed: RelayedExchange): Outcome {
  const { end, answer } = relayed;
  const received = answer === undefined ? {} : { answer: answerOf(relayed, answer) };
  switch (end?.kind) {
    case 'unreached':
      return { kind: 'not-sent', reason: `no connection: ${end.why}` };
    case 'cut':
      return { kind: 'uncertain', reason: `${CONNECTION_BROKE}: ${end.why}`, ...received };
    case 'left':
    case undefined:
      return { kind: 'uncertain', reason: 'the caller closed its connection', ...received };
    case 'whole':
  }
  if (received.answer === undefined) throw new TypeError('an answer without a head came to its end');
  if (!isGatewayStatus(received.answer.status)) return { kind: 'answered', answer: received.answer };
  return { kind: 'uncertain', reason: `${GATEWAY_ERROR}: status ${received.answer.status}`, ...received };
}

function answerOf({ arrivedAt, endedAt = arrivedAt }: RelayedExchange, passed: RelayedAnswer): Answer {
  const { status, rawHeaders, headersAt, body } = passed;
  const times = { headersAt: headersAt - arrivedAt, endedAt: endedAt - arrivedAt };
  return { status, headers: headerRecord(rawHeaders), ...body.read(), ...times };
}

import { HEADERS } from '../../fixtures/chats/wire.ts';
import { namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import { type Exchange, type Outcome, PRIMARY } from '../../suites/engine/model/exchange.ts';
import type { PassedFacts } from '../../suites/engine/model/journal.ts';
import { certainIfSaid, decodedOutcome } from '../../suites/engine/sending/target-connection.ts';
import type { Redactor } from '../../suites/engine/text/redact.ts';
import { type KeyRing, shownAddress, shownHeaders, WITHHELD } from './key-ring.ts';
import { headerIn } from './relay.ts';
import { MOST_KEPT, type RelayedExchange, type RelayedRequest } from './relayed-exchange.ts';

/** An exchange that passed, as the judgements see it, and as a journal holds it. No key is in it. */
export interface PassedExchange {
  readonly exchange: Exchange;
  readonly facts: PassedFacts;
}

/** `basePath`: that of the target's base URL; `since`: when the proxy began. */
export async function passedExchangeOf(
  relayed: RelayedExchange,
  basePath: string,
  ring: KeyRing,
  since: number,
): Promise<PassedExchange> {
  const { n, arrivedAt, endedAt, rawHeaders } = relayed;
  const redactor = ring.redactorFor(relayed);
  const caller = ring.nameOf(rawHeaders);
  return {
    exchange: {
      // In the order of arrival.
      id: `passing/${String(n).padStart(9, '0')}`,
      request: requestOf(relayed, basePath, redactor),
      outcome: await shownOutcome(relayed.outcome, redactor),
    },
    facts: {
      ...(caller !== undefined && { caller }),
      keyIn: keyPlaces(relayed, ring.redactor),
      arrivedAt: arrivedAt - since,
      endedAt: endedAt - since,
    },
  };
}

const COMPRESSED = Buffer.from('[a compressed body]');

/** The request without any key. */
export function requestOf(
  relayed: RelayedExchange,
  basePath: string,
  redactor: Redactor,
): Exchange['request'] {
  const { method, url, rawHeaders, body } = relayed;
  const isPlain = (headerIn(rawHeaders, 'content-encoding') ?? 'identity') === 'identity';
  const shown = isPlain ? redactor.bytes(body.read().body) : COMPRESSED;
  const hasKey = headerIn(rawHeaders, HEADERS.authorization) !== undefined;
  return {
    method,
    path: shownAddress(belowBase(url, basePath), redactor),
    headers: shownHeaders(rawHeaders, redactor),
    credential: hasKey ? PRIMARY : { kind: 'none' },
    body: body.size === 0 ? undefined : shown,
  };
}

/** A path that does not begin with that of the base URL climbs out of it: `/../responses`. */
export function belowBase(url: string, basePath: string): string {
  if (url === basePath || url.startsWith(`${basePath}/`) || url.startsWith(`${basePath}?`))
    return url.slice(basePath.length);
  return '/..'.repeat(basePath.split('/').length - 1) + url;
}

async function shownOutcome(outcome: Outcome, redactor: Redactor): Promise<Outcome> {
  // The caller asked for the coding, and reads what is in it: so do the judgements.
  const plain = certainIfSaid(await decodedOutcome(outcome, { keepBytes: MOST_KEPT }), {});
  const shown = await redactor.outcome(plain);
  if (shown.kind === 'not-sent' || shown.answer?.headers['set-cookie'] === undefined) return shown;
  // A cookie is a secret, as a key is.
  const headers = { ...shown.answer.headers, 'set-cookie': WITHHELD };
  return { ...shown, answer: { ...shown.answer, headers } };
}

/** Where else than in Authorization the request has a key. */
function keyPlaces({ url, rawHeaders, body }: RelayedRequest, redactor: Redactor): readonly string[] {
  const holds = (text: string): boolean => redactor.text(text) !== text;
  const sent = body.read().body;
  const headers = namedValues(rawHeaders).filter(
    ([name, value]) => name.toLowerCase() !== HEADERS.authorization && holds(value),
  );
  return [
    ...(holds(url) ? ['the address'] : []),
    ...(redactor.bytes(sent) === sent ? [] : ['the body']),
    ...headers.map(([name]) => `the header ${name.toLowerCase()}`),
  ];
}

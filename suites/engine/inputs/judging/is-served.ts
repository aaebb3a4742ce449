import type { JsonObject } from '../../../../fixtures/chats/chat.ts';
import type { Judged } from '../../model/check.ts';
import { type Exchange, isBroken, isHungUp } from '../../model/exchange.ts';
import { HOLDS, inconclusive, type Ruling, violated, notExercised } from '../../model/ruling.ts';
import type { Trial } from '../../model/stimulus.ts';
import type { TargetInfo } from '../../model/target.ts';
import {
  answerOf,
  brokenOff,
  isQuotaStatus,
  isSuccess,
  isUnavailable,
  endpointOf,
  sentChat,
} from '../../reading/answers.ts';
import {
  describeAnswer,
  type Disposition,
  dispositionOf,
  isEventStream,
} from '../../reading/errors/disposition.ts';

/** What became of a request; `limited` and `unavailable`: for a reason that says nothing of the request itself. */
type End = Disposition | 'limited' | 'unavailable';

/** A text: why it exercises nothing. */
type RulingOn = Ruling | string | ((received: string) => Ruling);

/** `otherwise`: on every other disposition. */
type Rulings = { readonly [E in End | 'otherwise']?: RulingOn };

const PROVES_NOTHING: Readonly<Record<End, string>> = {
  served: 'the request was served',
  refused: 'the request was refused',
  failed: 'the service failed, see ERR-11',
  unrecognised: 'neither a completion nor an error was recognised',
  limited: 'the request met a rate limit',
  unavailable: 'the service says that it is unavailable',
};

/** Rules on an answered request by what became of it. An end without a ruling proves nothing. */
export function byEnd(exchange: Exchange, info: TargetInfo, rulings: Rulings): Ruling {
  const end = endOf(exchange, info);
  const ruling = rulings[end] ?? (end === 'limited' || end === 'unavailable' ? undefined : rulings.otherwise);
  if (typeof ruling === 'object') return ruling;
  const received = describeAnswer(exchange, info);
  if (ruling === undefined) return inconclusive(`${PROVES_NOTHING[end]}: ${received}`);
  return typeof ruling === 'string' ? notExercised(`${ruling}: ${received}`) : ruling(received);
}

function endOf(exchange: Exchange, info: TargetInfo): End {
  const answer = answerOf(exchange);
  if (answer.status === 429) return 'limited';
  return isUnavailable(answer) ? 'unavailable' : dispositionOf(exchange, info);
}

/** Judges a request that every faithful service accepts. */
export function isServed(exchange: Exchange, info: TargetInfo): Ruling {
  const { status } = answerOf(exchange);
  const isRedirect = status >= 300 && status < 400;
  const wrong = (received: string): Ruling =>
    violated(isRedirect ? 'redirected' : dispositionOf(exchange, info), 'a completion', received);
  return byEnd(exchange, info, {
    served: HOLDS,
    failed: wrong,
    ...(!isQuotaStatus(status) && { refused: wrong }),
    ...(isRedirect && { unrecognised: wrong }),
  });
}

/** The ruling on a chat whose connection broke, as that of its second try did; undefined where chance may explain it. */
export function isHungUpTwice({ exchanges }: Judged): Ruling | undefined {
  return exchanges.length > 1 && exchanges.every(isHungUp)
    ? violated('hung-up', 'a completion', 'a connection closed without an answer, twice')
    : undefined;
}

/**
 * The ruling on a chat whose answer, a stream or a whole one, began with success and broke off, as that to its second try
 * did; undefined where chance may explain it.
 */
export function isBrokenOffTwice({ exchanges }: Judged, isStream: boolean): Ruling | undefined {
  const begun = exchanges.filter(isBroken).flatMap((exchange) => brokenOff(exchange) ?? []);
  const isSuch = begun.every((answer) => isEventStream(answer) === isStream);
  if (exchanges.length === 1 || begun.length < exchanges.length || !isSuch) return undefined;
  const [bytes] = begun.map(({ body }) => body.length);
  return violated('broken-off', 'a whole answer', `one that broke off after ${bytes} bytes, twice`);
}

/** The ruling on an exchange that cannot hold a completion; undefined when there is a completion to judge. */
export function notServed(exchange: Exchange, info: TargetInfo): Ruling | undefined {
  const answer = answerOf(exchange);
  const { status } = answer;
  const disposition = dispositionOf(exchange, info);
  if (disposition === 'refused') return notExercised(`the request was refused: status ${status}`);
  if (disposition === 'failed') return inconclusive(`the service failed: status ${status}`);
  if (!isSuccess(answer)) return inconclusive(`neither accepted nor refused: status ${status}`);
  return undefined;
}

/** Whether a trial bears on a duty: its first request shows it, whatever came of it. */
type BearsOn = (trial: Trial) => boolean;

export function ofChat(isOfKind: (chat: JsonObject) => boolean): BearsOn {
  return ({ exchanges: [exchange] }) => {
    const chat = exchange && sentChat(exchange.request);
    return chat !== undefined && isOfKind(chat);
  };
}

/** A duty for each of the three endpoints: it asks that one. */
export function ofEachEndpoint(duty: (endpoints: string) => string): Readonly<Record<string, BearsOn>> {
  const names = { chat: 'chats', models: 'models', vision: 'vision' };
  const duties = Object.entries(names).map(([endpoint, name]): [string, BearsOn] => [
    duty(name),
    ({ exchanges: [exchange] }) => exchange !== undefined && endpointOf(exchange.request) === endpoint,
  ]);
  return Object.fromEntries(duties);
}

/** Whether a chat has a character beyond ASCII in its messages. */
export function isBeyondAscii({ messages }: JsonObject): boolean {
  return /[^\0-\u007f]/.test(JSON.stringify(messages ?? null));
}

import type { Answer, Credential, Outcome, SentRequest } from '../model/exchange.ts';
import type { RecordedAnswer, RecordedOutcome, RecordedRequest, WrittenLine } from '../model/journal.ts';
import { answerIn, requestFrom } from './codecs.ts';
import { RecentlyRead } from './recently-read.ts';

// A journal holds more exchanges than fit in memory. Of each only what is small and asked for often is held; the rest is read
// from its line when it is asked for. They are classes, since getters of object literals take several times as much.

type Read = WrittenLine['read'];

/** What was read of requests and answers last. */
export interface ReadParts {
  readonly requests: RecentlyRead<SentRequest>;
  readonly answers: RecentlyRead<Answer>;
}

/** Their sizes count against one bound each. */
export function readParts(mostBytes?: number): ReadParts {
  return { requests: new RecentlyRead(requestIn, mostBytes), answers: new RecentlyRead(answerOf, mostBytes) };
}

/** The request of a line of a journal. */
export class LineRequest implements SentRequest {
  readonly method: string;
  readonly path: string;
  readonly #read: Read;
  readonly #parts: ReadParts;

  constructor({ method, path }: RecordedRequest, { read }: WrittenLine, parts: ReadParts) {
    this.method = method;
    this.path = path;
    this.#read = read;
    this.#parts = parts;
  }

  get #whole(): SentRequest {
    return this.#parts.requests.get(this.#read);
  }

  get headers(): SentRequest['headers'] {
    return this.#whole.headers;
  }

  get credential(): Credential {
    return this.#whole.credential;
  }

  get body(): SentRequest['body'] {
    return this.#whole.body;
  }
}

/** The answer in a line of a journal. */
class LineAnswer implements Answer {
  readonly status: number;
  readonly headersAt: number;
  readonly endedAt: number;
  declare readonly whole?: NonNullable<Answer['whole']>;
  readonly #read: Read;
  readonly #parts: ReadParts;

  constructor({ status, headersAt, endedAt, whole }: RecordedAnswer, read: Read, parts: ReadParts) {
    this.status = status;
    this.headersAt = headersAt;
    this.endedAt = endedAt;
    if (whole !== undefined) this.whole = whole;
    this.#read = read;
    this.#parts = parts;
  }

  get #all(): Answer {
    return this.#parts.answers.get(this.#read);
  }

  get headers(): Answer['headers'] {
    return this.#all.headers;
  }

  get body(): Answer['body'] {
    return this.#all.body;
  }

  get pieces(): Answer['pieces'] {
    return this.#all.pieces;
  }
}

/** The outcome in a line of a journal. */
export function lineOutcome(outcome: RecordedOutcome, { read }: WrittenLine, parts: ReadParts): Outcome {
  if (outcome.kind === 'not-sent') return outcome;
  if (outcome.kind === 'answered')
    return { kind: 'answered', answer: new LineAnswer(outcome.answer, read, parts) };
  const { kind, reason, answer } = outcome;
  return { kind, reason, ...(answer !== undefined && { answer: new LineAnswer(answer, read, parts) }) };
}

function requestIn({ entry, body }: ReturnType<Read>): SentRequest {
  if (!('request' in entry)) throw moved();
  const request = requestFrom(entry.request);
  return body === undefined ? request : { ...request, body };
}

function answerOf({ entry, body }: ReturnType<Read>): Answer {
  const answer = entry.type === 'ended' ? answerIn(entry.outcome) : undefined;
  if (answer === undefined) throw moved();
  return body === undefined ? answer : { ...answer, body };
}

function moved(): TypeError {
  return new TypeError('the journal is not what it was when it was read');
}

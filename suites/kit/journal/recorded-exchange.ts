import type { Answer, Credential, Outcome, SentRequest } from '../model/exchange.ts';
import type {
  RecordedAnswer,
  RecordedOutcome,
  RecordedRequest,
  WrittenEntry,
  WrittenLine,
} from '../model/journal.ts';
import { answerIn, requestFrom } from './codecs.ts';
import { RecentlyRead } from './recently-read.ts';

// A journal holds more exchanges than fit in memory. Of each only what is small and asked for often is held; the rest is read
// from its line when it is asked for. They are classes, since getters of object literals take several times as much.

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
  readonly #line: WrittenLine;
  readonly #parts: ReadParts;

  constructor({ method, path }: RecordedRequest, line: WrittenLine, parts: ReadParts) {
    this.method = method;
    this.path = path;
    this.#line = line;
    this.#parts = parts;
  }

  get #whole(): SentRequest {
    return this.#parts.requests.get(this.#line);
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
  declare readonly decoded?: true;
  readonly #line: WrittenLine;
  readonly #parts: ReadParts;

  constructor(answer: RecordedAnswer, line: WrittenLine, parts: ReadParts) {
    const { status, headersAt, endedAt, whole, decoded } = answer;
    this.status = status;
    this.headersAt = headersAt;
    this.endedAt = endedAt;
    if (whole !== undefined) this.whole = whole;
    if (decoded !== undefined) this.decoded = decoded;
    this.#line = line;
    this.#parts = parts;
  }

  get #all(): Answer {
    return this.#parts.answers.get(this.#line);
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
export function lineOutcome(outcome: RecordedOutcome, line: WrittenLine, parts: ReadParts): Outcome {
  if (outcome.kind === 'not-sent') return outcome;
  if (outcome.kind === 'answered')
    return { kind: 'answered', answer: new LineAnswer(outcome.answer, line, parts) };
  const { kind, reason, answer } = outcome;
  return { kind, reason, ...(answer !== undefined && { answer: new LineAnswer(answer, line, parts) }) };
}

function requestIn({ entry, body }: WrittenEntry): SentRequest {
  if (!('request' in entry)) throw moved();
  const request = requestFrom(entry.request);
  return body === undefined ? request : { ...request, body };
}

function answerOf({ entry, body }: WrittenEntry): Answer {
  const answer = entry.type === 'ended' ? answerIn(entry.outcome) : undefined;
  if (answer === undefined) throw moved();
  return body === undefined ? answer : { ...answer, body };
}

function moved(): TypeError {
  return new TypeError('the journal is not what it was when it was read');
}

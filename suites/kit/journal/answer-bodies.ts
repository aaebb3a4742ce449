import type { Answer, Outcome } from '../model/exchange.ts';
import type { WrittenEntry, WrittenLine } from '../model/journal.ts';
import { answerFrom, answerIn, recordAnswer } from './codecs.ts';
import { SpareFile } from './spare-file.ts';

/** The large part of an answer. */
type Body = Pick<Answer, 'body' | 'pieces'>;

/** Where a body is read from again. */
type Source = () => Body;

/** A body that may be in memory. */
interface Held {
  readonly size: number;
  body: Body | undefined;
  source: Source | undefined;
}

/** All bodies of a run that are held in memory take no more. */
const MOST_HELD_BYTES = 64 * 1024 * 1024;

/** Letting go of smaller ones frees less than it takes to find them again. */
const SMALL = 256;

/** A piece is two numbers in an object. */
const PIECE_BYTES = 48;

/**
 * The bodies of a run. The latest stay in memory, up to a bound; the others are read from the lines of the journal when a
 * judgement or a report asks for them, or from a temporary file where there is no journal.
 */
export class AnswerBodies {
  readonly #most: number;
  readonly #spare = new SpareFile();
  /** In memory, those that were asked for last at the end. */
  readonly #held = new Set<Held>();
  #size = 0;

  constructor(most = MOST_HELD_BYTES) {
    this.#most = most;
  }

  /** The same outcome. `line`: the end of its exchange in a journal. */
  keepOutcome(outcome: Outcome, line: WrittenLine | undefined): Outcome {
    if (outcome.kind === 'not-sent' || outcome.answer === undefined) return outcome;
    const { body, pieces, ...rest } = outcome.answer;
    const whole = this.#keep({ body, pieces }, line && ((): Body => answerBody(line.read())));
    const answer = {
      ...rest,
      get body() {
        return whole().body;
      },
      get pieces() {
        return whole().pieces;
      },
    };
    return { ...outcome, answer };
  }

  /** Nothing that is not in memory can be read any more, unless it has a journal. */
  close(): void {
    this.#spare.close();
  }

  #keep(body: Body, source: Source | undefined): () => Body {
    const size = sizeOf(body);
    const held: Held = { size, body, source };
    if (size > SMALL) this.#hold(held);
    // Captures `held` alone: a closure over the body would hold it for ever.
    return () => held.body ?? this.#again(held);
  }

  #hold(held: Held): void {
    this.#held.add(held);
    this.#size += held.size;
    for (const oldest of this.#held) {
      if (this.#size <= this.#most || oldest === held) return;
      this.#letGo(oldest);
    }
  }

  #letGo(held: Held): void {
    this.#held.delete(held);
    this.#size -= held.size;
    held.source ??= held.body && this.#spared(held.body);
    // Where there is no room on the disk either, it stays.
    if (held.source !== undefined) held.body = undefined;
  }

  #spared({ body, pieces }: Body): Source | undefined {
    const recorded = recordAnswer({ status: 0, headers: {}, headersAt: 0, endedAt: 0, body, pieces });
    const read = this.#spare.write(JSON.stringify(recorded));
    return read && ((): Body => answerFrom(JSON.parse(read())));
  }

  #again(held: Held): Body {
    if (held.source === undefined) throw new TypeError('a body was let go of that is nowhere else');
    const body = held.source();
    held.body = body;
    this.#hold(held);
    return body;
  }
}

function sizeOf({ body, pieces }: Body): number {
  return body.length + pieces.length * PIECE_BYTES;
}

function answerBody({ entry, body }: WrittenEntry): Body {
  const answer = entry.type === 'ended' ? answerIn(entry.outcome) : undefined;
  if (answer === undefined) throw new TypeError('the journal is not what it was when it was read');
  return { body: body ?? answer.body, pieces: answer.pieces };
}

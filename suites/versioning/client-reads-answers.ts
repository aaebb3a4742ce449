import type { JsonValue } from '../../fixtures/chats/chat.ts';
import type { Answer } from '../engine/model/exchange.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { readCompletion } from '../engine/reading/completions/read-completion.ts';
import { readError } from '../engine/reading/errors/read-error.ts';
import { type Found, jsonText, valueAt } from '../engine/reading/json.ts';
import { readListing } from '../engine/reading/models/read-models.ts';
import { isCodeOrId } from '../engine/reading/points.ts';
import { isEventStreamType, readStream } from '../engine/reading/streams/read-stream.ts';
import type { ClientResult } from './tested-client.ts';

/** Something that a program written for release 7.23.0 of the tested client reads of an answer (VER-2). */
interface ClientReads {
  readonly what: string;
  /** The only place where the program looks: a JSON pointer with a star for any index. */
  readonly place: string;
  /** What an answer holds, and where; or why that cannot be told. */
  readonly held: (answer: Answer, info: TargetInfo) => Found | string;
  /** What the client returned from that place; undefined: nothing. */
  readonly seen: (result: ClientResult) => JsonValue | undefined;
}

const CHUNK_TEXT = '/choices/0/delta/content';

export const CLIENT_READS = {
  models: {
    what: 'models',
    place: '/data/*/id',
    held: (answer, info) => {
      const reading = readListing(answer, info);
      if (reading.kind !== 'models') return 'no list of models was recognised: see MOD-1';
      const { pointer, idPointer = '', entries } = reading.list;
      return { pointer: `${pointer}/*${idPointer}`, value: entries.map(({ id = null }) => id) };
    },
    seen: (result) => returnedList(result)?.map((model) => valueAt(model, '/id') ?? null),
  },
  text: {
    what: 'text',
    place: '/choices/0/message/content',
    held: (answer, info) => {
      const value = readCompletion(answer, info)?.choices?.[0]?.text;
      if (value === undefined) return 'the response holds no text: see RES-2';
      return { pointer: '/choices/0/message/content', value };
    },
    seen: (result) => returnedAt(result, '/choices/0/message/content'),
  },
  finishReason: {
    what: 'finish-reason',
    place: '/choices/0/finish_reason',
    held: (answer, info) => {
      const said = readCompletion(answer, info)?.choices?.[0]?.finishReason;
      return typeof said === 'object' ? said : 'no finish reason was recognised: see RES-3';
    },
    seen: (result) => returnedAt(result, '/choices/0/finish_reason'),
  },
  streamedText: {
    what: 'text',
    place: CHUNK_TEXT,
    held: (answer, info) => {
      if (!isEventStreamType(answer)) return 'the answer is not an event stream: see STR-1';
      const { text } = readStream(answer, info);
      if (text === undefined) return 'no text was recognised in the stream: see STR-3';
      return { pointer: text.pointer, value: text.text };
    },
    seen: (result) => {
      const pieces = returnedList(result)?.map((chunk) => valueAt(chunk, CHUNK_TEXT));
      return pieces?.filter((piece) => typeof piece === 'string').join('');
    },
  },
  errorCode: {
    what: 'code',
    place: '/error/code',
    held: (answer, info) => {
      const error = readError(answer, info);
      if (error === undefined) return 'there is no error object: see ERR-1';
      const { code } = error;
      if (typeof code === 'string' || !isCodeOrId(code.value))
        return 'no code was recognised in the error object: see ERR-1';
      return { ...code, value: String(code.value) };
    },
    seen: (result) => (result.kind === 'threw' ? result.apiError?.code : undefined),
  },
} as const satisfies Record<string, ClientReads>;

function returnedAt(result: ClientResult, pointer: string): JsonValue | undefined {
  return result.kind === 'value' ? valueAt(result.value, pointer) : undefined;
}

function returnedList(result: ClientResult): readonly JsonValue[] | undefined {
  return result.kind === 'value' && Array.isArray(result.value) ? result.value : undefined;
}

/** Rules on what the client returned by what the answer holds. Where the place is open, an answer may hold it elsewhere. */
export function judgeClientReads(
  { what, place, held, seen }: ClientReads,
  result: ClientResult,
  answer: Answer,
  info: TargetInfo,
): Ruling {
  const there = held(answer, info);
  if (typeof there === 'string') return notExercised(there);
  if (there.pointer !== place)
    return notExercised(`the client looks for the ${what} at ${place}, not at ${there.pointer}`);
  const read = seen(result);
  const [expected, actual] = [jsonText(there.value), jsonText(read)];
  if (actual === expected) return HOLDS;
  const code = read === undefined && result.kind === 'threw' ? 'threw' : `other-${what}`;
  const shown = read === undefined ? describeClientResult(result) : actual;
  return violated(code, `the ${what} ${expected} in the client`, shown, place);
}

/** What the client returned to its user. */
export function describeClientResult(result: ClientResult): string {
  return result.kind === 'threw'
    ? `${result.name}: ${result.message.slice(0, 200)}`
    : `the value ${jsonText(result.value).slice(0, 200)}`;
}

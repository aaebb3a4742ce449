import type { JsonValue } from '../../fixtures/chats/chat.ts';
import type { Answer } from '../engine/model/exchange.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { type Found, jsonText } from '../engine/reading/json.ts';
import type { ClientResult } from './tested-client.ts';

/** Something that a program written for release 7.23.0 of the tested client reads of an answer (VER-2). */
export interface ClientReads {
  readonly what: string;
  /** The only place where the program looks: a JSON pointer with a star for any index. */
  readonly place: string;
  /** What an answer holds, and where; or why that cannot be told. */
  readonly held: (answer: Answer, info: TargetInfo) => Found | string;
  /** What the client returned from that place; undefined: nothing. */
  readonly seen: (result: ClientResult) => JsonValue | undefined;
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

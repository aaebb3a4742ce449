import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { OpenPointName } from '../../../../fixtures/clauses/open-points.ts';
import type { Profile } from '../../model/target.ts';
import type { Found } from '../json.ts';
import { find, locate, named, pinnedPointer, type Point } from '../locate.ts';
import { COUNTS, USAGE } from '../points.ts';

/** Where usage is reported, and its counts with known names, in tokens. */
export interface Usage {
  readonly pointer: string;
  readonly input?: Found<number>;
  readonly output?: Found<number>;
  readonly total?: Found<number>;
  /** A token count below zero, which is always wrong. */
  readonly negative?: Found<number>;
}

export type UsageReading = Usage | 'absent' | 'unrecognised';

/** Finds the usage of a response or of an event (RES-4), or else counts in the body itself. */
export function findUsage(body: JsonObject, profile: Profile, point: Point = USAGE): UsageReading {
  const found = locate(body, point, profile);
  if (typeof found === 'object') return usageAt(found, profile);
  const atRoot = usageAt({ pointer: '', value: body }, profile);
  return (atRoot.input ?? atRoot.output ?? atRoot.negative) ? atRoot : found;
}

/** The usage of what is found. */
function usageAt({ pointer, value }: Found, profile: Profile): Usage {
  if (typeof value === 'number') return { pointer, total: { pointer, value } };
  const at = (found: Found<number> | undefined) => found && { ...found, pointer: pointer + found.pointer };
  const input = at(find(value, COUNTS.input, profile));
  const output = at(find(value, COUNTS.output, profile));
  const total = at(find(value, COUNTS.total, profile));
  const negative = at(negativeIn(value));
  return {
    pointer,
    ...(input && { input }),
    ...(output && { output }),
    ...(total && { total }),
    ...(negative && { negative }),
  };
}

const NAMES_TOKENS = /token|eval_?count/i;

/** The name must say that it counts tokens: credits may be negative. */
function negativeIn(usage: JsonValue): Found<number> | undefined {
  const counts = Object.values(COUNTS).flatMap((count) => [
    ...named(usage, { ...count, accepts: isNegative }),
  ]);
  return counts.find(({ pointer }) => NAMES_TOKENS.test(pointer));
}

const isNegative = (value: JsonValue): value is number => typeof value === 'number' && value < 0;

/** Whether a count is in tokens, by a name or a pin: usage may also be in credits, bytes or words (RES-6). */
export function countsTokens({ pointer }: Found<number>, pin: OpenPointName, profile: Profile): boolean {
  const pinned = pinnedPointer(profile, pin);
  return (pinned !== undefined && pointer.endsWith(pinned)) || NAMES_TOKENS.test(pointer);
}

/** A count as a profile pins it: the name of a member of the usage, or the pointer to one deeper within it. */
export function memberOfUsage(count: Found<number>, { pointer }: Usage): string {
  // A usage that is a number is its own total.
  const place = count.pointer.slice(count.pointer === pointer ? pointer.lastIndexOf('/') : pointer.length);
  const [, name = '', ...deeper] = place.split('/');
  return name === '' || deeper.length > 0 || name.includes('~1') ? place : name.replaceAll('~0', '~');
}

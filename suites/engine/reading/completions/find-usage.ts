import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Profile } from '../../model/target.ts';
import type { Found } from '../json.ts';
import { find, locate, named, pinnedPointer, type Point } from '../locate.ts';
import { COUNTS, USAGE } from '../points.ts';

/** A count; `inTokens`: by its name or a pin, since usage may also be in credits, bytes or words (RES-6). */
interface Count extends Found<number> {
  readonly inTokens: boolean;
}

/** Where usage is reported, and its counts with known names. */
export interface Usage {
  readonly pointer: string;
  readonly input?: Count;
  readonly output?: Count;
  readonly total?: Count;
  /** A token count below zero, which is always wrong. */
  readonly negative?: Found<number>;
}

export type UsageReading = Usage | 'absent' | 'unrecognised';

type Kind = keyof typeof COUNTS;

/** A count of tokens; undefined where none is known to be one. */
export function tokensIn(usage: UsageReading | undefined, kind: Kind): Count | undefined {
  const count = typeof usage === 'object' ? usage[kind] : undefined;
  return count?.inTokens === true ? count : undefined;
}

/** Finds the usage of a response or of an event (RES-4), or else counts in the body itself. */
export function findUsage(body: JsonObject, profile: Profile, point: Point = USAGE): UsageReading {
  const found = locate(body, point, profile);
  if (typeof found === 'object') return usageAt(found, profile);
  const atRoot = usageAt({ pointer: '', value: body }, profile);
  return (atRoot.input ?? atRoot.output ?? atRoot.negative) ? atRoot : found;
}

/** The usage of what is found. */
function usageAt({ pointer, value }: Found, profile: Profile): Usage {
  const count = (kind: Kind, found: Found<number> | undefined): Pick<Usage, Kind> => {
    if (found === undefined) return {};
    const place = pointer + found.pointer;
    const pinned = pinnedPointer(profile, `response.usage.${kind}`);
    const isPinned = pinned !== undefined && place.endsWith(pinned);
    return { [kind]: { value: found.value, pointer: place, inTokens: isPinned || NAMES_TOKENS.test(place) } };
  };
  if (typeof value === 'number') return { pointer, ...count('total', { pointer: '', value }) };
  const negative = negativeIn(value);
  return {
    pointer,
    ...count('input', find(value, COUNTS.input, profile)),
    ...count('output', find(value, COUNTS.output, profile)),
    ...count('total', find(value, COUNTS.total, profile)),
    ...(negative && { negative: { ...negative, pointer: pointer + negative.pointer } }),
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

/** A count as a profile pins it: the name of a member of the usage, or the pointer to one deeper within it. */
export function memberOfUsage(count: Found<number>, { pointer }: Usage): string {
  // A usage that is a number is its own total.
  const place = count.pointer.slice(count.pointer === pointer ? pointer.lastIndexOf('/') : pointer.length);
  const [, name = '', ...deeper] = place.split('/');
  return name === '' || deeper.length > 0 || name.includes('~1') ? place : name.replaceAll('~0', '~');
}

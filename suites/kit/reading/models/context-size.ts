import type { JsonObject } from '../../../../fixtures/chats/chat.ts';
import { isJsonObject } from '../is-json-object.ts';
import { isCount, isText, memberNamed, plainName } from '../member-named.ts';
import { words } from '../words.ts';

// Sizes of input and output together. What counts the input or the output alone (max_input_tokens,
// max_completion_tokens) is left out on purpose: LIM-1 would blame a faithful service for it.
const SIZES = words(`
  contexttokens contextlength contextwindow contextsize contextlimit maxcontext maxcontextlength
  maxcontexttokens maxcontextsize maxcontextwindow contextwindowtokens contextwindowsize contextlengthtokens
  modelmaxlength maxmodellen maxmodellength maxsequencelength nctx context maxtotaltokens
`);
/** These may as well tell what was used, or may be used in some time. */
const LOOSE_SIZES = words('tokenlimit totaltokens');
const OF_A_TIME =
  /per(second|minute|hour|day|month)|^(tpm|rpm|tpd|rpd|window|period|interval|quota|requests)$/;
const HOLDERS = words('limits limit context capabilities tokens topprovider details metadata');
const INSIDE_CONTEXT = words('max length size window tokens total limit');

/** How many tokens of input and output together a model record allows; undefined when it does not say. */
export function contextTokensOf(record: JsonObject): number | undefined {
  return sizeIn(record, [], words('tokenlimit')) ?? sizeBelow(record);
}

function sizeIn(
  object: JsonObject,
  more: readonly string[] = [],
  loose: readonly string[] = LOOSE_SIZES,
): number | undefined {
  const isOfATime = Object.keys(object).some((name) => OF_A_TIME.test(plainName(name)));
  return memberNamed(object, [...SIZES, ...more, ...(isOfATime ? [] : loose)], isSize)?.value;
}

function isInOtherUnits(object: JsonObject): boolean {
  const unit = memberNamed(object, ['unit', 'units'], isText)?.value;
  return unit !== undefined && !/^tokens?$/i.test(unit);
}

function sizeBelow(record: JsonObject): number | undefined {
  for (const holder of HOLDERS) {
    const inner = memberNamed(record, [holder], isJsonObject)?.value;
    if (inner === undefined || isInOtherUnits(inner)) continue;
    const size = sizeIn(inner, holder === 'context' ? INSIDE_CONTEXT : []);
    if (size !== undefined) return size;
  }
  return undefined;
}

const isSize = (value: Parameters<typeof isCount>[0]): value is number => isCount(value) && value > 0;

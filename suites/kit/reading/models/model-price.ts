import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import { isJsonObject } from '../is-json-object.ts';
import { plainName } from '../member-named.ts';

const OF_TEXT = /input|prompt|output|completion/;
const OF_MONEY = /price|pricing|cost/;
const DEEPEST = 3;

/**
 * What a model record asks for a token of input and one of output, in whatever unit it uses: comparable
 * within one list only. Undefined when it names no price.
 */
export function priceOf(record: JsonObject): number | undefined {
  const prices = Object.entries(record)
    .filter(([name]) => OF_MONEY.test(plainName(name)))
    .flatMap(([name, value]) => numbersIn(value, plainName(name), DEEPEST));
  const ofText = prices.filter(({ name }) => OF_TEXT.test(name));
  const counted = ofText.length > 0 ? ofText : prices;
  if (counted.length === 0) return undefined;
  return counted.reduce((sum, { amount }) => sum + amount, 0);
}

interface Price {
  readonly name: string;
  readonly amount: number;
}

function numbersIn(value: JsonValue, name: string, deep: number): Price[] {
  if (isJsonObject(value)) {
    if (deep === 0) return [];
    return Object.entries(value).flatMap(([inner, below]) =>
      numbersIn(below, `${name} ${plainName(inner)}`, deep - 1),
    );
  }
  const amount = amountOf(value);
  return amount === undefined ? [] : [{ name, amount }];
}

/** Prices are numbers, or decimal strings so that no digit is lost. */
function amountOf(value: JsonValue): number | undefined {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}

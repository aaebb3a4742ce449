import { z } from 'zod';
import type {
  ChoiceParameter,
  DurationParameter,
  IntegerParameter,
  TextParameter,
} from './catalogue/fault-parameter.ts';
import { LARGEST } from './catalogue/fault-parameter.ts';
import { isSpread } from './spread.ts';

/** The error of an object: a wrong type or an unknown field. */
export function objectError(needed: string, owner: string, fields: readonly string[]) {
  return ({ code }: { readonly code: string }): string =>
    code === 'unrecognized_keys' ? `unknown field; ${owner} accepts ${fields.join(', ')}` : needed;
}

export function wholeNumber(minimum: number, maximum: number) {
  const error = `expected a whole number from ${minimum} to ${maximum}`;
  return z.int(error).min(minimum, error).max(maximum, error);
}

export const string = z.string('expected a string');

export function oneOf<const Choice extends string | number>(choices: readonly Choice[]) {
  return z.literal(choices, `expected one of ${choices.join(', ')}`);
}

export function given({ minimum, maximum, meaning }: IntegerParameter) {
  return wholeNumber(minimum, maximum).describe(meaning).optional();
}

export function defaulted({
  minimum,
  maximum,
  meaning,
  default: value,
}: IntegerParameter & { default: number }) {
  return wholeNumber(minimum, maximum).describe(meaning).default(value);
}

export function choice<const Choice extends string | number>({
  choices,
  meaning,
  default: value,
}: ChoiceParameter & { readonly choices: readonly Choice[]; readonly default: NoInfer<Choice> }) {
  return oneOf(choices).describe(meaning).meta({ default: value });
}

/** Milliseconds, or what they are drawn from. */
export function milliseconds({ meaning }: DurationParameter) {
  const error = `expected milliseconds from 1 to ${LARGEST}, FROM..TO, normal:MEAN,DEVIATION or lognormal:P50,P99`;
  const drawn = z.string(error).refine(isSpread, error);
  return z.union([z.int(error).min(1, error).max(LARGEST, error), drawn], error).describe(meaning);
}

/** The value of a header. */
export function headerValue({ meaning }: TextParameter) {
  const error = 'expected printable ASCII';
  const text = z.string(error).regex(/^[\u0020-\u007e]*$/, error);
  return z.union([text, z.number(error)], error).describe(meaning);
}

import { z } from 'zod';
import { type FaultParameter, LARGEST } from './catalogue/fault-parameter.ts';
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

export function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  return z.literal(choices, `expected one of ${choices.join(', ')}`);
}

/** A parameter with its default. */
export function parameterSchema(parameter: FaultParameter): z.ZodType {
  const schema = valueSchema(parameter).describe(parameter.meaning);
  return parameter.default === undefined ? schema.optional() : schema.default(parameter.default);
}

/** A parameter of which it matters whether it was given. */
export function givenSchema(parameter: FaultParameter): z.ZodType {
  return valueSchema(parameter).describe(parameter.meaning).meta({ default: parameter.default }).optional();
}

function valueSchema(parameter: FaultParameter): z.ZodType {
  switch (parameter.kind) {
    case 'integer': {
      const number = wholeNumber(parameter.minimum, parameter.maximum);
      if (parameter.isNotZero !== true) return number;
      return number.refine((value) => value !== 0, 'expected a number other than 0');
    }
    case 'choice':
      return oneOf(parameter.choices);
    case 'duration': {
      const error = `expected milliseconds from 1 to ${LARGEST}, FROM..TO, normal:MEAN,DEVIATION or lognormal:P50,P99`;
      const drawn = z.string(error).refine(isSpread, error);
      return z.union([z.int(error).min(1, error).max(LARGEST, error), drawn], error);
    }
    case 'header': {
      const error = 'expected printable ASCII';
      return z.union([z.string(error).regex(/^[\u0020-\u007e]*$/, error), z.number(error)], error);
    }
    case 'text':
      return string;
  }
}

import { z } from 'zod';
import { oneOf, wholeNumber } from '../rules/read-rule.ts';
import { type FaultParameter, LARGEST } from './catalogue/fault-parameter.ts';
import { isSpread } from './spread.ts';

export const string = z.string('expected a string');

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

import { z } from 'zod';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { objectError, oneOf, wholeNumber } from '../rules/read-rule.ts';
import { FAULTS, type FaultName } from './catalogue/fault-catalogue.ts';
import { type FaultParameter, LARGEST } from './catalogue/fault-parameter.ts';
import { type Phase, PHASES } from './catalogue/phases.ts';
import type { LostRequestOutcome } from './fault.ts';
import { isSpread } from './spread.ts';

const string = z.string('expected a string');

const MATCH = {
  endpoint: oneOf(Object.keys(ENDPOINTS).filter(isEndpoint)).optional(),
  model: string.optional(),
  stream: z.boolean('expected true or false').optional(),
  key: string.describe('The name of a key').optional(),
  nth: wholeNumber(1, LARGEST).describe('Only this one of the matching requests').optional(),
  every: wholeNumber(1, LARGEST).describe('Only every so many-th of the matching requests').optional(),
  per: oneOf(['key', 'connection'])
    .describe('nth, every and after count for each key or connection; absent: all together')
    .optional(),
};

function isEndpoint(name: string): name is keyof typeof ENDPOINTS {
  return Object.hasOwn(ENDPOINTS, name);
}

const FREQUENCY = {
  times: wholeNumber(1, LARGEST).describe('Absent: always').optional(),
  after: wholeNumber(0, LARGEST).describe('Matching requests that are let through first').default(0),
  ttl: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .describe('Milliseconds of the clock of the world; absent: no end')
    .optional(),
  probability: z
    .number('expected a number from 0 to 1')
    .min(0, 'expected a number from 0 to 1')
    .max(1, 'expected a number from 0 to 1')
    .describe('Drawn from the seed')
    .default(1),
};

const matchError = objectError(
  'expected what the rule matches, as an object',
  'a match accepts',
  Object.keys(MATCH),
);
const match = z
  .strictObject(MATCH, { error: matchError })
  .describe('The requests that the rule is for: those that have all of these');

/** A phase of the fault. Which of them a match can reach is checked when the rule is compiled. */
function phaseOf(name: FaultName) {
  const { phases, defaultPhase } = FAULTS[name];
  const list = phases.join(', ');
  const error = ({ input }: { readonly input?: unknown }): string =>
    PHASES.some((phase) => phase === input)
      ? `impossible for ${name} here; possible are ${list}`
      : `no such phase; possible for ${name} are ${list}`;
  return z.literal(phases, { error }).meta({ default: defaultPhase }).optional();
}

/** A parameter with its default. */
function parameterSchema(parameter: FaultParameter): z.ZodType {
  const schema = valueSchema(parameter).describe(parameter.meaning);
  return parameter.default === undefined ? schema.optional() : schema.default(parameter.default);
}

/** A parameter of which it matters whether it was given. */
function givenSchema(parameter: FaultParameter): z.ZodType {
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

function rule(name: FaultName) {
  const { meaning, parameters } = FAULTS[name];
  const fields = Object.entries<FaultParameter>(parameters).map(
    ([field, parameter]) => [field, (field === 'then' ? givenSchema : parameterSchema)(parameter)] as const,
  );
  const shape = {
    fault: z.literal(name),
    phase: phaseOf(name),
    match: match.default({}),
    ...FREQUENCY,
    ...Object.fromEntries(fields),
  };
  const error = objectError('expected a rule, as an object', `${name} accepts`, Object.keys(shape));
  return z.strictObject(shape, { error }).meta({ title: name, description: meaning });
}

function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

/** A rule whose fields are known to be right; those of its fault are as the catalogue has them. */
export interface ParsedRule {
  readonly fault: FaultName;
  readonly phase?: Phase;
  readonly match: z.output<typeof match>;
  readonly times?: number;
  readonly after: number;
  readonly ttl?: number;
  readonly probability: number;
  readonly then?: LostRequestOutcome;
  readonly [parameter: string]: unknown;
}

const [first, ...others] = Object.keys(FAULTS).filter(isFaultName);

/** A rule of a fault plan, as JSON has it. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema that is made of the catalogue forgets what it makes
export const ruleSchema = z.discriminatedUnion('fault', [rule(first ?? 'latency'), ...others.map(rule)], {
  error: nameError,
}) as unknown as z.ZodType<ParsedRule>;

function nameError({ code, input }: { readonly code: string; readonly input?: unknown }): string {
  if (code === 'invalid_type') return 'expected a rule, as an object';
  const known = Object.keys(FAULTS).join(', ');
  const isAbsent = typeof input === 'object' && input !== null && !Object.hasOwn(input, 'fault');
  return isAbsent ? `expected a fault: ${known}` : `no such fault; the faults are ${known}`;
}

/** JSON Schema of a fault plan: one rule, or a list of them. */
export function planJsonSchema(): object {
  const { $schema: _, ...schema } = z.toJSONSchema(z.union([ruleSchema, z.array(ruleSchema)]), {
    io: 'input',
  });
  return schema;
}

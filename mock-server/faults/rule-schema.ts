import { z } from 'zod';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import {
  type ChoiceParameter,
  DELIVERY_FAULTS,
  FAULTS,
  type FaultName,
  type IntegerParameter,
  LARGEST,
  LOSSES,
} from './fault-catalogue.ts';
import { PHASES } from './phases.ts';

/** The error of an object: a wrong type or an unknown field. */
function objectError(needed: string, owner: string, fields: readonly string[]) {
  return ({ code }: { readonly code: string }): string =>
    code === 'unrecognized_keys' ? `unknown field; ${owner} accepts ${fields.join(', ')}` : needed;
}

function integer(minimum: number, maximum: number) {
  const error = `expected a whole number from ${minimum} to ${maximum}`;
  return z.int(error).min(minimum, error).max(maximum, error);
}

const string = z.string('expected a string');

function oneOf<const Choice extends string | number>(choices: readonly Choice[]) {
  return z.literal(choices, `expected one of ${choices.join(', ')}`);
}

const MATCH = {
  endpoint: oneOf(Object.keys(ENDPOINTS).filter(isEndpoint)).optional(),
  model: string.optional(),
  stream: z.boolean('expected true or false').optional(),
  key: string.describe('The name of a key').optional(),
  nth: integer(1, LARGEST).describe('Only this one of the matching requests').optional(),
};

function isEndpoint(name: string): name is keyof typeof ENDPOINTS {
  return Object.hasOwn(ENDPOINTS, name);
}

const FREQUENCY = {
  times: integer(1, LARGEST).describe('Absent: always').optional(),
  after: integer(0, LARGEST).describe('Matching requests that are let through first').default(0),
  ttl: integer(1, Number.MAX_SAFE_INTEGER)
    .describe('Milliseconds of the clock of the world; absent: no end')
    .optional(),
  probability: z
    .number('expected a number from 0 to 1')
    .min(0, 'expected a number from 0 to 1')
    .max(1, 'expected a number from 0 to 1')
    .describe('Drawn from the seed')
    .default(1),
};

const matchError = objectError('expected what the rule matches, as an object', 'a match', Object.keys(MATCH));
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

function rule<const Name extends FaultName, Parameters extends z.core.$ZodShape>(
  name: Name,
  parameters: Parameters,
) {
  const shape = {
    fault: z.literal(name),
    phase: phaseOf(name),
    match: match.default({}),
    ...FREQUENCY,
    ...parameters,
  };
  const error = objectError('expected a rule, as an object', name, Object.keys(shape));
  return z.strictObject(shape, { error }).meta({ title: name, description: FAULTS[name].meaning });
}

function given({ minimum, maximum, meaning }: IntegerParameter) {
  return integer(minimum, maximum).describe(meaning).optional();
}

function defaulted({ minimum, maximum, meaning, default: value }: IntegerParameter & { default: number }) {
  return integer(minimum, maximum).describe(meaning).default(value);
}

function choice<const Choice extends string | number>({
  choices,
  meaning,
  default: value,
}: ChoiceParameter & { readonly choices: readonly Choice[]; readonly default: NoInfer<Choice> }) {
  return oneOf(choices).describe(meaning).meta({ default: value });
}

const { gateway_failure: gateway, timeout } = LOSSES;
const { body_cut: cut, stream_cut: streamCut, stall, pieces, wrong_content_length: length } = DELIVERY_FAULTS;
// oxlint-disable-next-line unicorn/no-thenable -- a field of the syntax of a rule, never a function
const OUTCOME = { then: choice(timeout.parameters.then).optional() };

/** A rule of a fault plan, as JSON has it. */
export const ruleSchema = z.discriminatedUnion(
  'fault',
  [
    rule('unknown_model', {}),
    rule('token_limit', {}),
    rule('rate_limit', {}),
    rule('model_unavailable', {}),
    rule('service_unavailable', {}),
    rule('insufficient_credits', {}),
    rule('gateway_failure', {
      status: choice(gateway.parameters.status).default(gateway.parameters.status.default),
      body: choice(gateway.parameters.body).default(gateway.parameters.body.default),
      ...OUTCOME,
    }),
    rule('timeout', { ms: given(timeout.parameters.ms), ...OUTCOME }),
    rule('connection_closed', OUTCOME),
    rule('connection_reset', OUTCOME),
    rule('body_cut', { bytes: defaulted(cut.parameters.bytes) }),
    rule('stream_cut', { events: defaulted(streamCut.parameters.events) }),
    rule('stall', { bytes: defaulted(stall.parameters.bytes), ms: given(stall.parameters.ms) }),
    rule('pieces', { bytes: defaulted(pieces.parameters.bytes), ms: defaulted(pieces.parameters.ms) }),
    rule('wrong_content_length', {
      difference: defaulted(length.parameters.difference).refine(
        (difference) => difference !== 0,
        'expected a difference other than 0',
      ),
    }),
  ],
  { error: nameError },
);

function nameError({ code, input }: { readonly code: string; readonly input?: unknown }): string {
  if (code === 'invalid_type') return 'expected a rule, as an object';
  const known = Object.keys(FAULTS).join(', ');
  const isAbsent = typeof input === 'object' && input !== null && !Object.hasOwn(input, 'fault');
  return isAbsent ? `expected a fault: ${known}` : `no such fault; the faults are ${known}`;
}

export type ParsedRule = z.output<typeof ruleSchema>;

/** JSON Schema of a fault plan: one rule, or a list of them. */
export function planJsonSchema(): object {
  const { $schema: _, ...schema } = z.toJSONSchema(z.union([ruleSchema, z.array(ruleSchema)]), {
    io: 'input',
  });
  return schema;
}

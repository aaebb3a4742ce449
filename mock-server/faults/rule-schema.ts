import { z } from 'zod';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { DELIVERY_FAULTS } from './catalogue/delivery-catalogue.ts';
import { FAULTS, type FaultName, HANDSHAKE_FAULTS, LOSSES, WAITS } from './catalogue/fault-catalogue.ts';
import { LARGEST, RETRY_AFTER } from './catalogue/fault-parameter.ts';
import { PHASES } from './catalogue/phases.ts';
import {
  choice,
  defaulted,
  milliseconds,
  given,
  headerValue,
  wholeNumber,
  objectError,
  oneOf,
  string,
} from './parameter-schemas.ts';

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

const { gateway_failure: gateway, own_answer: own, timeout } = LOSSES;
const { how } = HANDSHAKE_FAULTS.wrong_certificate.parameters;
const { body_cut: cut, stream_cut: streamCut, stall, pieces, ...delivered } = DELIVERY_FAULTS;
const { wrong_content_length: length } = delivered;
const header = delivered.wrong_header.parameters;
const RETRY = { retry_after: headerValue(RETRY_AFTER.retry_after).optional() };
// oxlint-disable-next-line unicorn/no-thenable -- a field of the syntax of a rule, never a function
const OUTCOME = { then: choice(timeout.parameters.then).optional() };

/** A rule of a fault plan, as JSON has it. */
export const ruleSchema = z.discriminatedUnion(
  'fault',
  [
    rule('unknown_model', {}),
    rule('token_limit', {}),
    rule('rate_limit', RETRY),
    rule('model_unavailable', RETRY),
    rule('service_unavailable', RETRY),
    rule('insufficient_credits', {}),
    rule('gateway_failure', {
      status: defaulted(gateway.parameters.status),
      body: choice(gateway.parameters.body).default(gateway.parameters.body.default),
      ...RETRY,
      ...OUTCOME,
    }),
    rule('own_answer', {
      status: defaulted(own.parameters.status),
      content_type: headerValue(own.parameters.content_type)
        .transform(String)
        .default(own.parameters.content_type.default),
      body: string.describe(own.parameters.body.meaning).default(own.parameters.body.default),
      ...RETRY,
      ...OUTCOME,
    }),
    rule('timeout', { ms: milliseconds(timeout.parameters.ms).optional(), ...OUTCOME }),
    rule('half_open', OUTCOME),
    rule('latency', {
      ms: milliseconds(WAITS.latency.parameters.ms).default(WAITS.latency.parameters.ms.default),
    }),
    rule('slow_accept', {
      ms: milliseconds(WAITS.slow_accept.parameters.ms).default(WAITS.slow_accept.parameters.ms.default),
    }),
    rule('connection_closed', OUTCOME),
    rule('connection_reset', OUTCOME),
    rule('body_cut', { bytes: defaulted(cut.parameters.bytes) }),
    rule('stream_cut', { events: defaulted(streamCut.parameters.events) }),
    rule('stall', { bytes: defaulted(stall.parameters.bytes), ms: given(stall.parameters.ms) }),
    rule('pieces', { bytes: defaulted(pieces.parameters.bytes), ms: defaulted(pieces.parameters.ms) }),
    rule('split_characters', { ms: defaulted(delivered.split_characters.parameters.ms) }),
    rule('bandwidth', { bytes_per_second: defaulted(delivered.bandwidth.parameters.bytes_per_second) }),
    rule('duplicate_event', { event: defaulted(delivered.duplicate_event.parameters.event) }),
    rule('malformed_event', { event: defaulted(delivered.malformed_event.parameters.event) }),
    rule('error_event', { events: defaulted(delivered.error_event.parameters.events) }),
    rule('wrong_header', {
      header: choice(header.header).default(header.header.default),
      how: choice(header.how).default(header.how.default),
      value: headerValue(header.value).optional(),
    }),
    rule('idle_closed', {
      ms: defaulted(delivered.idle_closed.parameters.ms),
      how: choice(delivered.idle_closed.parameters.how).default(delivered.idle_closed.parameters.how.default),
    }),
    rule('wrong_content_length', {
      difference: defaulted(length.parameters.difference).refine(
        (difference) => difference !== 0,
        'expected a difference other than 0',
      ),
    }),
    rule('wrong_certificate', { how: choice(how).default(how.default) }),
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

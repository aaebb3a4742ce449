import { z } from 'zod';

import { type FaultDescription, type FaultParameter, FAULTS } from '../faults/fault-catalogue.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';

const match = {
  type: 'object',
  description: 'The requests it is for: those that have all of these',
  properties: {
    endpoint: { enum: Object.keys(ENDPOINTS) },
    model: { type: 'string' },
    stream: { type: 'boolean' },
    key: { type: 'string', description: 'The name of a key' },
    nth: { type: 'integer', minimum: 1, description: 'Only this one of them' },
  },
  additionalProperties: false,
};

const FREQUENCY = {
  times: { type: 'integer', minimum: 1, description: 'Absent: always' },
  after: { type: 'integer', minimum: 0, description: 'Requests that are let through first' },
  ttl: { type: 'integer', minimum: 1, description: 'Milliseconds of the clock of the world; absent: no end' },
  probability: { type: 'number', minimum: 0, maximum: 1, description: 'Drawn from the seed; absent: 1' },
};

function parameterSchema(parameter: FaultParameter): object {
  const { meaning: description, default: byDefault } = parameter;
  const value =
    parameter.kind === 'choice'
      ? { enum: parameter.choices }
      : { type: 'integer', minimum: parameter.minimum };
  return { ...value, description, ...(byDefault !== undefined && { default: byDefault }) };
}

function ruleSchema([name, entry]: [string, FaultDescription]): object {
  const parameters = Object.entries(entry.parameters).map(([word, parameter]) => [
    word,
    parameterSchema(parameter),
  ]);
  const phase = { enum: entry.phases, default: entry.defaultPhase };
  return {
    type: 'object',
    title: name,
    description: entry.meaning,
    properties: { fault: { const: name }, phase, match, ...FREQUENCY, ...Object.fromEntries(parameters) },
    required: ['fault'],
    additionalProperties: false,
  };
}

/** JSON Schema of what is armed: a rule, or a list of them. Made from the words that `compilePlan` reads by. */
export function planJsonSchema(): object {
  const rule = { oneOf: Object.entries<FaultDescription>(FAULTS).map(ruleSchema) };
  return { oneOf: [rule, { type: 'array', items: rule }] };
}

/** Described once for the whole API; read by `compilePlan`, as everywhere. */
export const planSchema = z.unknown().meta({ $ref: '#/components/schemas/FaultPlan' });

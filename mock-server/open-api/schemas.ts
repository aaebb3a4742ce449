import { type ClauseId, CLAUSES } from '../../fixtures/clauses/clauses.ts';
import { ERROR_TABLE } from '../protocol/service-error.ts';
import type { Choices } from '../world/world-schema.ts';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a clause leaves open: any value in the contract, and what a world chooses in the description of its mock. */
export function openPoint(clause: ClauseId, chosen: JsonSchema = {}): JsonSchema {
  return { 'x-open': clause, description: CLAUSES[clause].statement, ...chosen };
}

/** An object with these members, all of them required. */
function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** The same, without any other member. */
function closedObjectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...objectOf(properties), additionalProperties: false };
}

const TEXT: JsonSchema = { type: 'string' };

/** The body of a chat (REQ-1 to REQ-6). */
export function chatRequest(choices: Choices | undefined): JsonSchema {
  const { temperatureMinimum, temperatureMaximum, maxTokensMinimum } = choices?.request ?? {};
  const isEmptyRefused = choices?.messages.emptyList === 'refuse';
  return {
    type: 'object',
    required: ['model', 'messages'],
    additionalProperties: false,
    properties: {
      model: { ...TEXT, description: 'An ID that the models endpoint lists for the key' },
      messages: {
        type: 'array',
        items: message(choices),
        ...openPoint('MSG-6', isEmptyRefused ? { minItems: 1 } : {}),
      },
      temperature: openPoint('REQ-8', {
        type: 'number',
        ...(choices && { minimum: temperatureMinimum, maximum: temperatureMaximum }),
      }),
      max_tokens: openPoint('REQ-8', {
        type: 'integer',
        ...(choices && { minimum: maxTokensMinimum }),
      }),
      stream: { type: 'boolean', default: false },
    },
  };
}

/** Whether the model has vision, which decides on images too (MSG-4), no schema can say. */
function message(choices: Choices | undefined): JsonSchema {
  const { emptyContent, extraFields } = choices?.messages ?? {};
  const messageOf = (role: JsonSchema, content: JsonSchema): JsonSchema => {
    const fields = { role, content };
    if (extraFields === 'refuse') return closedObjectOf(fields);
    return { ...objectOf(fields), properties: { ...fields, ...WITHOUT_TOOL_CALLS } };
  };
  const parts = choices && { items: { oneOf: [TEXT_PART, imagePart(choices.images)] }, contains: IMAGE_TYPE };
  const text = { ...TEXT, ...(emptyContent === 'refuse' && { minLength: 1 }) };
  return {
    anyOf: [
      messageOf({ enum: ['system', 'user', 'assistant'] }, text),
      messageOf({ const: 'user' }, openPoint('MSG-5', { type: 'array', minItems: 1, ...parts })),
    ],
  };
}

/** No service accepts these (SVC-5), whatever it does with other fields of a message (MSG-6). */
const WITHOUT_TOOL_CALLS = { tool_calls: { not: {} }, tool_call_id: { not: {} }, function_call: { not: {} } };

const IMAGE_TYPE = objectOf({ type: { const: 'image_url' } });
const TEXT_PART = closedObjectOf({ type: { const: 'text' }, text: TEXT });

function imagePart({ schemes }: Choices['images']): JsonSchema {
  const url = { ...TEXT, pattern: `^(${schemes.join('|')}):` };
  const image = {
    ...closedObjectOf({ url }),
    properties: { url, detail: { enum: ['auto', 'low', 'high'] } },
  };
  return closedObjectOf({ type: { const: 'image_url' }, image_url: image });
}

const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

/** A whole completion (RES-1 to RES-4). */
export function completion(choices: Choices | undefined): JsonSchema {
  const { response } = choices ?? {};
  const atPlace = (place: Choices['response']['finishReasonPlace']): Readonly<Record<string, JsonSchema>> =>
    response?.finishReasonPlace === place
      ? { [response.finishReasonField]: openPoint('RES-6', { enum: ['stop', 'length'] }) }
      : {};
  const said = { ...objectOf({ content: TEXT }), description: 'The generated text' };
  const choice = objectOf({ message: said, ...atPlace('choice') });
  return {
    ...openPoint('RES-6'),
    ...objectOf({
      choices: { type: 'array', minItems: 1, items: choice },
      ...atPlace('root'),
      ...(response && usage(response)),
    }),
  };
}

function usage(choices: Choices['response']): Readonly<Record<string, JsonSchema>> {
  const { usageField, inputTokensField, outputTokensField, totalTokensField } = choices;
  const fields = [inputTokensField, outputTokensField, totalTokensField].map(
    (name) => [name, COUNT] as const,
  );
  return { [usageField]: openPoint('RES-6', objectOf(Object.fromEntries(fields))) };
}

/** Server-sent events, which no JSON Schema describes. */
export function eventStream(): JsonSchema {
  return openPoint('STR-5', TEXT);
}

/** The list of model records (MOD-1). */
export function modelList(choices: Choices | undefined): JsonSchema {
  if (choices === undefined) return openPoint('MOD-3');
  const { shape, idField } = choices.models;
  const list = { type: 'array', items: objectOf({ [idField]: TEXT }) };
  return openPoint('MOD-3', shape === 'list' ? list : objectOf({ [shape]: list }));
}

/** Where image input is available (VIS-1). */
export function vision(choices: Choices | undefined): JsonSchema {
  if (choices === undefined) return openPoint('VIS-3');
  const flag = { type: 'boolean' };
  const shapes: Readonly<Record<Choices['vision']['shape'], JsonSchema>> = {
    list: objectOf({ data: { type: 'array', items: objectOf({ id: TEXT, vision: flag }) } }),
    map: objectOf({ models: { type: 'object', additionalProperties: flag } }),
    flag: objectOf({ vision: flag }),
  };
  return openPoint('VIS-3', shapes[choices.vision.shape]);
}

/** The error object: a code, a message and a request ID (ERR-1). */
export function errorObject(choices: Choices | undefined): JsonSchema {
  if (choices === undefined) return openPoint('ERR-9', { type: 'object' });
  const { shape, requestIdField, overrides } = choices.errors;
  const others = Object.values(overrides).flatMap(({ code }) => code ?? []);
  const codes = new Set([...Object.keys(ERROR_TABLE), ...others]);
  const items = objectOf({ code: { enum: [...codes] }, message: TEXT, [requestIdField]: TEXT });
  return openPoint('ERR-9', shape === 'nested' ? objectOf({ error: items }) : items);
}

import { ERROR_TABLE } from '../protocol/error-table.ts';
import type { Choices, ResponseChoices } from '../world/world.ts';
import { type JsonSchema, objectOf, openPoint, TEXT } from './schema.ts';

const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

/** A whole completion (RES-1 to RES-4). */
export function completion(choices: Choices | undefined): JsonSchema {
  const reason = choices && finishReason(choices.response);
  const choice = objectOf({
    message: { ...objectOf({ content: TEXT }), description: 'The generated text' },
    ...(choices?.response.finishReasonPlace === 'choice' && reason),
  });
  return {
    ...openPoint('RES-6'),
    ...objectOf({
      choices: { type: 'array', minItems: 1, items: choice },
      ...(choices?.response.finishReasonPlace === 'root' && reason),
      ...(choices && usage(choices.response)),
    }),
  };
}

function finishReason({ finishReasonField }: ResponseChoices) {
  return { [finishReasonField]: openPoint('RES-6', { enum: ['stop', 'length'] }) };
}

function usage(choices: ResponseChoices) {
  const { usageField, inputTokensField, outputTokensField, totalTokensField } = choices;
  const counts = objectOf({
    [inputTokensField]: COUNT,
    [outputTokensField]: COUNT,
    [totalTokensField]: COUNT,
  });
  return { [usageField]: openPoint('RES-6', counts) };
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
  const rows = [...Object.values(ERROR_TABLE), ...Object.values(overrides)];
  const codes = new Set(rows.flatMap(({ code }) => code ?? []));
  const items = objectOf({ code: { enum: [...codes] }, message: TEXT, [requestIdField]: TEXT });
  return openPoint('ERR-9', shape === 'nested' ? objectOf({ error: items }) : items);
}

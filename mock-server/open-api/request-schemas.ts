import type { Choices, ImageChoices } from '../world/world.ts';
import { closedObjectOf, type JsonSchema, objectOf, openPoint, TEXT } from './schema.ts';

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
  return { anyOf: [textMessage(choices), imageMessage(choices)] };
}

function textMessage(choices: Choices | undefined): JsonSchema {
  const isEmptyRefused = choices?.messages.emptyContent === 'refuse';
  return messageOf(choices, {
    role: { enum: ['system', 'user', 'assistant'] },
    content: { ...TEXT, ...(isEmptyRefused && { minLength: 1 }) },
  });
}

function imageMessage(choices: Choices | undefined): JsonSchema {
  const parts = choices && { items: { oneOf: [textPart(), imagePart(choices.images)] }, contains: imageType };
  return messageOf(choices, {
    role: { const: 'user' },
    content: openPoint('MSG-5', { type: 'array', minItems: 1, ...parts }),
  });
}

function messageOf(choices: Choices | undefined, fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  if (choices?.messages.extraFields === 'refuse') return closedObjectOf(fields);
  return { ...objectOf(fields), properties: { ...fields, ...WITHOUT_TOOL_CALLS } };
}

/** No service accepts these (SVC-5), whatever it does with other fields of a message (MSG-6). */
const WITHOUT_TOOL_CALLS = { tool_calls: { not: {} }, tool_call_id: { not: {} }, function_call: { not: {} } };

const imageType: JsonSchema = objectOf({ type: { const: 'image_url' } });

function textPart(): JsonSchema {
  return closedObjectOf({ type: { const: 'text' }, text: TEXT });
}

function imagePart({ schemes }: ImageChoices): JsonSchema {
  const url = { ...TEXT, pattern: `^(${schemes.join('|')}):` };
  return closedObjectOf({
    type: { const: 'image_url' },
    image_url: {
      ...closedObjectOf({ url }),
      properties: { url, detail: { enum: ['auto', 'low', 'high'] } },
    },
  });
}

import { ENDPOINTS } from '../../fixtures/chats/chat.ts';
import { type ClauseId, CLAUSES } from '../../fixtures/clauses/clauses.ts';
import type { Choices } from '../world/world-schema.ts';
import {
  chatRequest,
  completion,
  errorObject,
  eventStream,
  modelList,
  vision,
  type JsonSchema,
  openPoint,
} from './schemas.ts';

const PREFIX = '/v1';
const JSON_TYPE = 'application/json';

/**
 * An OpenAPI 3.1 document of the service. Without choices it is the contract: what the specification leaves open is not
 * constrained. With the choices of a world it describes the mock of that world. Either way `x-open` names the clause
 * that lets another service differ.
 */
export function describeService(choices?: Choices): object {
  return {
    openapi: '3.1.0',
    info: {
      title: choices === undefined ? 'Chat completion service' : 'Mock of the chat completion service',
      version: 'v1',
      description: statements('VER-1', 'AUTH-1', 'AUTH-2', 'SVC-5', 'SVC-6'),
    },
    servers: [{ url: '/', description: 'The base URL, which ends in /v1, without that segment' }],
    security: [{ key: [] }],
    paths: {
      [`${PREFIX}${ENDPOINTS.models}`]: {
        get: operation('listModels', 'Lists the models of the key', ['SVC-2', 'MOD-1', 'MOD-2'], {
          200: { description: 'The models', ...json(modelList(choices)) },
        }),
      },
      [`${PREFIX}${ENDPOINTS.vision}`]: {
        get: operation('readVision', 'Says where image input is available', ['SVC-3', 'VIS-1'], {
          200: { description: 'The vision capabilities', ...json(vision(choices)) },
        }),
      },
      [`${PREFIX}${ENDPOINTS.chat}`]: { post: completeChat(choices) },
    },
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', ...openPoint('AUTH-4') } },
      schemas: { Error: errorObject(choices), ChatRequest: chatRequest(choices) },
      responses: {
        Refused: {
          description: statements('ERR-1', 'ERR-10'),
          ...openOf('ERR-9'),
          ...json({ $ref: '#/components/schemas/Error' }),
        },
        GatewayFailure: { description: statements('ERR-7', 'ERR-8'), content: { '*/*': {} } },
      },
    },
  };
}

function completeChat(choices: Choices | undefined): object {
  const what: readonly ClauseId[] = ['SVC-1', 'SVC-4', 'REQ-7', 'STR-2', 'LIM-1', 'LIM-3', 'LIM-4'];
  const answered = {
    description: statements('REQ-7', 'STR-1', 'STR-3'),
    content: {
      [JSON_TYPE]: { schema: completion(choices) },
      'text/event-stream': { schema: eventStream() },
    },
  };
  return {
    ...operation('completeChat', 'Completes a chat', what, { 200: answered }),
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: true,
        description: statements('IDEM-1', 'IDEM-3', 'IDEM-4'),
        ...openOf('IDEM-4'),
        schema: { type: 'string', minLength: 1 },
      },
    ],
    requestBody: { required: true, ...json({ $ref: '#/components/schemas/ChatRequest' }) },
  };
}

function operation(
  operationId: string,
  summary: string,
  clauses: readonly ClauseId[],
  responses: Readonly<Record<number, object>>,
): object {
  return {
    operationId,
    summary,
    description: statements(...clauses),
    responses: {
      ...responses,
      '4XX': { $ref: '#/components/responses/Refused' },
      '5XX': { $ref: '#/components/responses/GatewayFailure' },
    },
  };
}

function json(schema: JsonSchema): object {
  return { content: { [JSON_TYPE]: { schema } } };
}

function openOf(clause: ClauseId): object {
  return { 'x-open': clause };
}

function statements(...clauses: readonly ClauseId[]): string {
  return clauses.map((clause) => `${CLAUSES[clause].statement} (${clause})`).join(' ');
}

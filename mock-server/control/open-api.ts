import { z } from 'zod';
import { worldJsonSchema } from '../world/world-schema.ts';
import { emptyObject } from './operation.ts';
import { type Operation, operation } from './operation.ts';
import { RULE_SCHEMAS } from './rule-operations.ts';

/** The body of every refusal. */
const errorAnswer = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    at: z
      .string()
      .optional()
      .describe('A JSON pointer into the body, query/NAME, path, method, or the name of a header'),
  }),
});

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

function content(schema: object, media = 'application/json'): object {
  return { content: { [media]: { schema } } };
}

function requestBody({ body, takesText }: Operation): object {
  if (body === emptyObject) return {};
  const text = { 'text/plain': { schema: { type: 'string', description: 'Each line as for --fault' } } };
  const json = { 'application/json': { schema: jsonSchema(body, 'input') } };
  return { requestBody: { content: { ...json, ...(takesText === true && text) } } };
}

function queryParameters(query: z.ZodObject): readonly object[] {
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    // A number in a query is described as a number, not as the string that it is parsed from.
    schema: jsonSchema(z.object({ value: schema }).shape.value, 'output'),
  }));
}

function pathParameters(path: string): readonly object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function describe(described: Operation, path: string, suffix: string): object {
  const { name, summary, query, status, answer, media } = described;
  return {
    operationId: `${name}${suffix}`,
    summary,
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...requestBody(described),
    responses: {
      [status]: { description: 'Done', ...(status !== 204 && content(jsonSchema(answer, 'output'), media)) },
      default: {
        description: 'Refused; nothing was changed',
        ...content({ $ref: '#/components/schemas/Error' }),
      },
    },
  };
}

function openApi(operations: readonly Operation[]): object {
  const paths: Record<string, Record<string, object>> = {};
  const add = (one: Operation, path: string, suffix: string): void => {
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: describe(one, path, suffix) };
  };
  for (const one of operations) {
    add(one, `/control${one.path}`, '');
    // Operations of a world exist for each sandbox too.
    if (one.about === 'world') add(one, `/control/sandboxes/{sandbox}${one.path}`, 'InSandbox');
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Control of the chat-completion mock', version: '1' },
    security: [{}, { token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: jsonSchema(errorAnswer, 'output'), ...RULE_SCHEMAS, World: worldJsonSchema() },
    },
  };
}

/** The operation that returns the description of these operations, and of itself. */
export function openApiOperation(described: readonly Operation[]): Operation {
  const own: Operation = operation('GET', '/openapi.json', {
    name: 'readOpenApi',
    about: 'mock',
    summary: 'Returns this document',
    answer: z.record(z.string(), z.unknown()),
    run: () => openApi([...described, own]),
  });
  return own;
}

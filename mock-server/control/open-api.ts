import { z } from 'zod';
import { worldJsonSchema } from '../world/world-schema.ts';
import { emptyObject, type Operation, operation } from './operation.ts';
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

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

const LINES = { schema: { type: 'string', description: 'Each line as for --fault' } };

function requestBody({ body, takesText }: Operation): object {
  if (body === emptyObject) return {};
  const json = { 'application/json': { schema: jsonSchema(body, 'input') } };
  return { requestBody: { content: { ...json, ...(takesText === true && { 'text/plain': LINES }) } } };
}

function parameters(path: string, query: z.ZodObject): readonly object[] {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return [
    ...named.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    // A number in a query is described as a number, not as the string that it is parsed from.
    ...Object.entries(query.shape).map(([name, schema]) => ({
      name,
      in: 'query',
      schema: jsonSchema(schema, 'output'),
    })),
  ];
}

const REFUSED = {
  description: 'Refused; nothing was changed',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

function describe(described: Operation, path: string, suffix: string): object {
  const { name, summary, query, status, answer, media = 'application/json' } = described;
  const content = status !== 204 && { content: { [media]: { schema: jsonSchema(answer, 'output') } } };
  return {
    operationId: `${name}${suffix}`,
    summary,
    parameters: parameters(path, query),
    ...requestBody(described),
    responses: { [status]: { description: 'Done', ...content }, default: REFUSED },
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

export const OPEN_API_OPERATION = operation('GET', '/openapi.json', {
  name: 'readOpenApi',
  about: 'mock',
  summary: 'Returns this document',
  answer: z.record(z.string(), z.unknown()),
  run: ({ operations }) => openApi(operations),
});

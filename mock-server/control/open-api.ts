import { z } from 'zod';
import { worldJsonSchema } from '../world/world-schema.ts';
import { emptyObject, type Operation, operation } from './operation.ts';
import { RULE_SCHEMAS } from './rule-operations.ts';

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

const RESPONSES = {
  '2XX': { description: 'Done' },
  '4XX': {
    description:
      'Refused; nothing was changed. `error` has a `code`, a `message`, and, if it is known, `at`: a JSON pointer into the body, query/NAME, path, method, or the name of a header',
  },
};

/** What can be asked; the answers show what they hold. */
function openApi(operations: readonly Operation[]): object {
  const paths: Record<string, Record<string, object>> = {};
  const add = (one: Operation, path: string, suffix: string): void => {
    const { name, summary, query, method } = one;
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId: `${name}${suffix}`,
        summary,
        parameters: parameters(path, query),
        ...requestBody(one),
        responses: RESPONSES,
      },
    };
  };
  for (const one of operations) {
    add(one, `/control${one.path}`, '');
    if (one.about === 'world') add(one, `/control/sandboxes/{sandbox}${one.path}`, 'InSandbox');
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Control of the chat-completion mock', version: '1' },
    security: [{}, { token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      // Its references are its own.
      schemas: { ...RULE_SCHEMAS, World: { $id: 'world', ...worldJsonSchema() } },
    },
  };
}

export const OPEN_API_OPERATION = operation('GET', '/openapi.json', {
  name: 'readOpenApi',
  about: 'mock',
  summary: 'Returns this document',
  run: ({ operations }) => openApi(operations),
});

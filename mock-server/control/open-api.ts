import { z } from 'zod';
import { planJsonSchema } from '../faults/rule-schema.ts';
import { closedObject, emptyObject } from '../world/closed-object.ts';
import { answersJsonSchema } from './answer-operations.ts';
import { type Operation, operation } from './operation.ts';

const JSON_TYPE = 'application/json';

/** The body of every refusal. */
const errorAnswer = closedObject({
  error: closedObject({
    code: z.string(),
    message: z.string(),
    at: z
      .string()
      .optional()
      .describe('A JSON pointer into the body, query/NAME, path, method, or the name of a header'),
  }),
});

type Direction = 'input' | 'output';

function jsonSchema(schema: z.ZodType, io: Direction): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

function content(schema: object, media = JSON_TYPE): object {
  return { content: { [media]: { schema } } };
}

function requestContent(body: z.ZodType, takesText: boolean): object {
  const json = content(jsonSchema(body, 'input'));
  if (!takesText) return json;
  const text = content({ type: 'string', description: 'Each line as for --fault' }, 'text/plain');
  return { content: { ...Object.values(json)[0], ...Object.values(text)[0] } };
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

function describe(
  { name, summary, query, body, status, answer, media, takesText }: Operation,
  path: string,
  suffix: string,
): object {
  const isBodyless = body === emptyObject;
  const answered = status === 204 ? {} : content(jsonSchema(answer, 'output'), media);
  return {
    operationId: `${name}${suffix}`,
    summary,
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(!isBodyless && { requestBody: requestContent(body, takesText === true) }),
    responses: {
      [status]: { description: 'Done', ...answered },
      default: {
        description: 'Refused; nothing was changed',
        ...content({ $ref: '#/components/schemas/Error' }),
      },
    },
  };
}

/** Operations of a world exist for the mock's own world and for each sandbox. */
function places({ about, path }: Operation): readonly (readonly [path: string, suffix: string])[] {
  const own = [`/control${path}`, ''] as const;
  return about === 'mock' ? [own] : [own, [`/control/sandboxes/{sandbox}${path}`, 'InSandbox']];
}

function openApi(operations: readonly Operation[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const one of operations) {
    for (const [path, suffix] of places(one)) {
      paths[path] = { ...paths[path], [one.method.toLowerCase()]: describe(one, path, suffix) };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Control of the chat-completion mock', version: '1' },
    security: [{}, { token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: jsonSchema(errorAnswer, 'output'),
        FaultPlan: planJsonSchema(),
        Answers: answersJsonSchema(),
      },
    },
  };
}

/** The operation that returns the description of these operations, and of itself. */
export function openApiOperation(described: readonly Operation[]): Operation {
  const own: Operation = operation({
    name: 'readOpenApi',
    method: 'GET',
    path: '/openapi.json',
    about: 'mock',
    summary: 'Returns this document',
    query: emptyObject,
    body: emptyObject,
    status: 200,
    answer: z.record(z.string(), z.unknown()),
    run: () => openApi([...described, own]),
  });
  return own;
}

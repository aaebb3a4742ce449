import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/openapi-3-1';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { coreChats, pairwiseChats } from '../../../fixtures/chats/accepted-chats.ts';
import type { JsonObject } from '../../../fixtures/chats/chat.ts';
import { imageChat } from '../../../fixtures/chats/image-chats.ts';
import { toolCalls } from '../../../fixtures/invalid/tool-calls.ts';
import { unknownFields } from '../../../fixtures/invalid/unknown-fields.ts';
import {
  wrongMessages,
  wrongModel,
  wrongStream,
  wrongContent,
  wrongRole,
} from '../../../fixtures/invalid/wrong-fields.ts';
import { describeService } from '../../../mock-server/open-api/describe-service.ts';
import { type Mock, startMock } from '../../../mock-server/start-mock.ts';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { completeWorld } from '../../../mock-server/world/complete-world.ts';
import { MOCK_VARIANTS } from '../../cli/mock/mock-words.ts';

const CHAT = { model: 'compact-1', maxTokens: 16 };
const VISION = { ...CHAT, model: builtInWorld.models.find(({ vision }) => vision === true)?.id ?? '' };
const [PLAIN, ...OTHERS] = coreChats(CHAT);
const WRONG = [toolCalls, unknownFields, wrongModel, wrongMessages, wrongStream, wrongContent, wrongRole];

/** What every service serves, and what none does: the two differ in what a schema can say. */
const VALID: readonly JsonObject[] = [PLAIN, ...OTHERS, ...pairwiseChats(CHAT), imageChat(VISION)];
const INVALID = WRONG.flatMap(({ examples }) => examples(PLAIN, OTHERS)).map(({ mutant }) => mutant);

const worlds = Object.entries(MOCK_VARIANTS).map(
  ([name, choices]) => [name, choices, completeWorld({ choices }, builtInWorld)] as const,
);

async function problemsOf(document: object): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } });
  const found = await lintFromString({
    source: JSON.stringify(document),
    config,
    absoluteRef: 'openapi.json',
  });
  return found.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

test('the contract and the description of every world pass a linter', async () => {
  expect(await problemsOf(describeService())).toEqual([]);
  for (const [, , { choices }] of worlds) expect(await problemsOf(describeService(choices))).toEqual([]);
});

const JSON_200 = 'responses/200/content/application~1json/schema';
const answerOf = (path: string): string => `#/paths/~1v1~1${path}/get/${JSON_200}`;
const COMPLETION = `#/paths/~1v1~1chat~1completions/post/${JSON_200}`;
const REQUEST = '#/components/schemas/ChatRequest';
const ERROR = '#/components/schemas/Error';

/** A document under an address of its own, and whether a value fits one of its schemas. */
async function withSchemas(
  document: object,
  use: (fits: (pointer: string, value: unknown) => Promise<boolean>) => Promise<void>,
): Promise<void> {
  const id = 'https://service.invalid/openapi.json';
  registerSchema(structuredClone(document) as never, id, 'https://spec.openapis.org/oas/3.1/dialect/base');
  try {
    await use(async (pointer, value) => (await validate(`${id}${pointer}`, value as never)).valid);
  } finally {
    unregisterSchema(id);
  }
}

function ask({ origin, keys }: Mock, path: string, body?: JsonObject): Promise<Response> {
  return fetch(`${origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${keys['primary']}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

test.each(worlds)(
  'a third party finds that the mock does what its document says: %s',
  async (_, choices, world) => {
    const mock = await startMock({ world });
    const described: unknown = await (await fetch(`${mock.origin}/openapi.json`)).json();
    expect(described).toEqual(describeService(world.choices));
    await withSchemas(describeService(world.choices), async (fits) => {
      // Only these choices bear on requests.
      const all = 'messages' in choices || 'request' in choices ? [...VALID, ...INVALID] : [PLAIN, ...OTHERS];
      for (const chat of all) {
        const answer = await ask(mock, '/v1/chat/completions', chat);
        expect({ chat, isServed: await fits(REQUEST, chat) }).toEqual({ chat, isServed: answer.ok });
        const text = await answer.text();
        const isStream = answer.headers.get('content-type')?.includes('event-stream') === true;
        const isFitting = isStream || (await fits(answer.ok ? COMPLETION : ERROR, JSON.parse(text)));
        expect({ text, isFitting }).toEqual({ text, isFitting: true });
      }
      for (const path of ['models', 'vision-capabilities']) {
        expect(await fits(answerOf(path), await (await ask(mock, `/v1/${path}`)).json())).toBe(true);
        expect(await fits(answerOf(path), { something: 'else' })).toBe(false);
      }
    });
    await mock.close();
  },
);

test('the contract fits what every service serves, and nothing that none serves', async () => {
  await withSchemas(describeService(), async (fits) => {
    for (const chat of VALID) expect([chat, await fits(REQUEST, chat)]).toEqual([chat, true]);
    // The form of a part is open.
    for (const chat of INVALID.filter((each) => !JSON.stringify(each).includes('"content":[')))
      expect([chat, await fits(REQUEST, chat)]).toEqual([chat, false]);
    expect(await fits(COMPLETION, { choices: [{ message: { content: 'Hi.' } }] })).toBe(true);
    expect(await fits(COMPLETION, { choices: [] })).toBe(false);
  });
});

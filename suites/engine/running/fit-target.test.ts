import { expect, test } from 'vitest';
import { errorAnswer } from '../test-support/exchange.ts';
import { SERVED, type ServiceForTest, senderForTest } from '../test-support/rulings.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { TargetUnreachable } from './first-answer.ts';
import { fitModels, fitOutput } from './fit-target.ts';

interface Chat {
  readonly model: string;
  readonly max_tokens?: number;
}

/** A sender to a service that serves some chats, and every chat that was tried. */
function senderTo(serves: (chat: Chat) => boolean, refused: object) {
  const tried: Chat[] = [];
  const service: ServiceForTest = ({ body }) => {
    const chat: Chat = JSON.parse(String(body));
    tried.push(chat);
    return serves(chat) ? SERVED : refused;
  };
  return { sender: senderForTest(service), tried };
}

/** What a run of 16 output tokens fits itself to, and every max_tokens that was tried. */
async function outputFitted(serves: (maxTokens: number) => boolean, refused: object = errorAnswer('bounds')) {
  const { sender, tried } = senderTo(({ max_tokens: most = 0 }) => serves(most), refused);
  const outputTokens = await fitOutput(infoForTest({ outputTokens: 16 }), sender);
  return [outputTokens, tried.map(({ max_tokens: most }) => most)];
}

test.each<[string, (maxTokens: number) => boolean, object | undefined, number, readonly unknown[]]>([
  ['what it may ask for', () => true, undefined, 16, [16]],
  ['a small maximum', (n) => n <= 4, undefined, 4, [16, undefined, 8, 4]],
  ['nothing', () => false, undefined, 16, [16, undefined]],
  ['no max_tokens', (n) => n === 0, undefined, 16, [16, undefined, 8, 4, 2, 1, 32, 64, 128, 256, 512]],
  ['a chat without credits', () => false, errorAnswer('bounds', 402), 16, [16]],
])('fits its output to a target that serves %s', async (_, serves, refused, fitted, tried) => {
  expect(await outputFitted(serves, refused)).toEqual([fitted, tried]);
});

test('names the option that raises the cap where only more is accepted', async () => {
  const fit = outputFitted((n) => n === 0 || n >= 100);
  await expect(fit).rejects.toThrow(TargetUnreachable);
  await expect(fit).rejects.toThrow('--max-output-tokens 128');
});

const reading = (id: string) => infoForTest({ models: [{ id }], modelIdAt: `/${id}` });
const READINGS = [reading('name'), reading('slug'), reading('key')] as const;
const BOTH = ['name', 'name unbounded', 'slug', 'slug unbounded', 'key', 'key unbounded'];

test.each<[string, (chat: Chat) => boolean, number, string, readonly string[]]>([
  ['all', () => true, 404, '/name', BOTH.slice(0, 1)],
  ['no max_tokens', (chat) => chat.max_tokens === undefined, 404, '/name', BOTH.slice(0, 2)],
  ['slug', ({ model }) => model === 'slug', 404, '/slug', BOTH.slice(0, 3)],
  ['none', () => false, 404, '/name', BOTH],
  ['none for lack of credits', () => false, 402, '/name', BOTH.slice(0, 1)],
])('goes by the place of the IDs that are served: %s', async (_, serves, status, place, expected) => {
  const { sender, tried } = senderTo(serves, errorAnswer('unknown_model', status));
  expect((await fitModels(READINGS, sender)).modelIdAt).toBe(place);
  const written = tried.map(
    ({ model, max_tokens: most }) => `${model}${most === undefined ? ' unbounded' : ''}`,
  );
  expect(written).toEqual(expected);
});

const INFO = infoForTest({ models: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }, { id: 'e' }] });
const UNUSABLE = errorAnswer('unknown_model', 404);
const UNAVAILABLE = errorAnswer('model_unavailable', 503);

/** The models in their new order have a mark behind those that cannot be used. */
test.each([
  ['none', '', UNUSABLE, {}, 'abcde', 1],
  ['the first is refused', 'a', UNUSABLE, {}, 'ba!cde', 3],
  ['two are unavailable', 'ab', UNAVAILABLE, {}, 'ca!b!de', 5],
  ['none of the first four can be used', 'abcde', UNUSABLE, {}, 'abcde', 8],
  ['an answer says nothing of the model', 'a', errorAnswer('rate_limit', 429), {}, 'abcde', 1],
  ['the profile names the model', 'a', UNUSABLE, { model: 'a' }, 'abcde', 0],
])('puts a model first that can be used, where %s', async (_, unusable, answer, profile, order, sent) => {
  const { sender, tried } = senderTo(({ model }) => !unusable.includes(model), answer);
  const { models } = await fitModels([{ ...INFO, profile }], sender);
  expect(models.map(({ id, unusable: mark }) => id + (mark ? '!' : '')).join('')).toBe(order);
  expect(tried).toHaveLength(sent);
});

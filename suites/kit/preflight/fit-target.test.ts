import { expect, test } from 'vitest';
import type { Draft, Exchange } from '../model/exchange.ts';
import type { Sender } from '../model/stimulus.ts';
import { answered } from '../test-support/exchange.ts';
import { SERVED, senderForTest } from '../test-support/rulings.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { TargetUnreachable } from './discover-target.ts';
import { fitOutput, fitModels, fitUsable } from './fit-target.ts';

const REFUSED = {
  status: 400,
  body: { error: { code: 'bounds', message: 'Out of bounds.', request_id: 'r' } },
};

/** What a run of 16 output tokens fits itself to, and every max_tokens that was tried. */
async function outputFitted(serves: (maxTokens: number | undefined) => boolean, refused: object = REFUSED) {
  const tried: (number | undefined)[] = [];
  const counterpart = async (draft: Draft): Promise<Exchange> => {
    const { max_tokens: maxTokens } = JSON.parse(Buffer.from(draft.body ?? '').toString());
    tried.push(maxTokens);
    return answered(serves(maxTokens) ? SERVED : refused);
  };
  const sender: Sender = { send: counterpart, sendCounterpart: counterpart, provoke: counterpart };
  return { outputTokens: await fitOutput(infoForTest({ outputTokens: 16 }), sender), tried };
}

test('stays with what the run may ask for where that is served', async () => {
  expect(await outputFitted(() => true)).toEqual({ outputTokens: 16, tried: [16] });
});

test('goes down to what a target with a small maximum serves', async () => {
  const fit = await outputFitted((n) => n === undefined || n <= 4);
  expect(fit).toEqual({ outputTokens: 4, tried: [16, undefined, 8, 4] });
});

test('names the option that raises the cap where only more is accepted', async () => {
  const fit = outputFitted((n) => n === undefined || n >= 100);
  await expect(fit).rejects.toThrow(TargetUnreachable);
  await expect(fit).rejects.toThrow('--max-output-tokens 128');
});

test('leaves it to the checks where the chat is refused whatever max_tokens is', async () => {
  expect(await outputFitted(() => false)).toEqual({ outputTokens: 16, tried: [16, undefined] });
  expect(await outputFitted((n) => n === undefined)).toMatchObject({ outputTokens: 16 });
});

test('leaves the decision to the checks where the refusal is not about the request', async () => {
  expect(await outputFitted(() => false, { ...REFUSED, status: 402 })).toEqual({
    outputTokens: 16,
    tried: [16],
  });
});

const UNKNOWN_MODEL = {
  status: 404,
  body: { error: { code: 'unknown_model', message: 'No such model.', request_id: 'r' } },
};
const reading = (id: string) => infoForTest({ models: [{ id }], modelIdAt: `/${id}` });
const READINGS = [reading('name'), reading('slug'), reading('key')] as const;

/** Which place a run goes by, and every chat that was tried. */
async function modelFitted(
  serves: (chat: { model: string; max_tokens?: number }) => boolean,
  refused: object = UNKNOWN_MODEL,
) {
  const tried: string[] = [];
  const counterpart = async (draft: Draft): Promise<Exchange> => {
    const chat = JSON.parse(Buffer.from(draft.body ?? '').toString());
    tried.push('max_tokens' in chat ? chat.model : `${chat.model} unbounded`);
    return answered(serves(chat) ? SERVED : refused);
  };
  const info = await fitModels(READINGS, {
    send: counterpart,
    sendCounterpart: counterpart,
    provoke: counterpart,
  } satisfies Sender);
  return { place: info.modelIdAt, tried };
}

test('stays with the likeliest place where its ID is served', async () => {
  expect(await modelFitted(() => true)).toEqual({ place: '/name', tried: ['name'] });
});

test('stays with it where only max_tokens is refused', async () => {
  const fit = await modelFitted((chat) => chat.max_tokens === undefined);
  expect(fit).toEqual({ place: '/name', tried: ['name', 'name unbounded'] });
});

test('goes by the first other place whose ID is served', async () => {
  expect(await modelFitted(({ model }) => model === 'slug')).toEqual({
    place: '/slug',
    tried: ['name', 'name unbounded', 'slug unbounded'],
  });
});

test('stays with the likeliest place where no ID is served', async () => {
  const tried = ['name', 'name unbounded', 'slug unbounded', 'key unbounded'];
  expect(await modelFitted(() => false)).toEqual({ place: '/name', tried });
});

test('tries no other place where the refusal is not about the request', async () => {
  expect(await modelFitted(() => false, { ...UNKNOWN_MODEL, status: 402 })).toEqual({
    place: '/name',
    tried: ['name'],
  });
});

const INFO = infoForTest({ models: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }, { id: 'e' }] });
const error = (code: string) => ({ error: { code, message: 'No.', request_id: 'r' } });
const UNUSABLE = { status: 404, body: error('unknown_model') };
const UNAVAILABLE = { status: 503, body: error('model_unavailable') };

const modelOf = ({ body }: Draft) => String(/"model":"(\w+)"/.exec(String(body))?.[1]);

/** The models in their new order, a mark behind those that cannot be used, and how many chats were sent. */
async function fitted(unusable: string, answer: object = UNUSABLE, info = INFO) {
  let sent = 0;
  const sender = senderForTest((draft) => {
    sent += 1;
    return unusable.includes(modelOf(draft)) ? answer : SERVED;
  });
  const { models } = await fitUsable(info, sender);
  return [models.map(({ id, unusable: mark }) => id + (mark ? '!' : '')).join(''), sent];
}

test('stays with the first model given that it is served', async () => {
  expect(await fitted('')).toEqual(['abcde', 1]);
});

test.each([
  ['refused', UNUSABLE],
  ['unavailable', UNAVAILABLE],
])('puts the first model first that is not %s', async (_, answer) => {
  expect(await fitted('a', answer)).toEqual(['ba!cde', 3]);
  expect(await fitted('ab', answer)).toEqual(['ca!b!de', 5]);
});

test('stays with the first model given that none of the first four can be used', async () => {
  expect(await fitted('abcde')).toEqual(['abcde', 8]);
});

test('stays with the first model given an answer that says nothing of it', async () => {
  expect(await fitted('a', { status: 429, body: error('rate_limit') })).toEqual(['abcde', 1]);
});

test('stays with the model of the profile', async () => {
  expect(await fitted('a', UNUSABLE, { ...INFO, profile: { model: 'a' } })).toEqual(['abcde', 0]);
});

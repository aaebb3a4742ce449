import { expect, test } from 'vitest';
import type { Draft } from '../model/draft.ts';
import type { Exchange } from '../model/exchange.ts';
import { answered } from '../test-support/exchange.ts';
import { infoForTest } from '../test-support/target-info.ts';
import type { Sender } from '../model/stimulus.ts';
import { fitModels } from './fit-models.ts';

const SERVED = { body: { choices: [{ message: { content: 'Hi.' } }] } };
const REFUSED = {
  status: 404,
  body: { error: { code: 'unknown_model', message: 'No such model.', request_id: 'r' } },
};
const reading = (id: string) => infoForTest({ models: [{ id }], modelIdAt: `/${id}` });
const READINGS = [reading('name'), reading('slug'), reading('key')] as const;

/** Which place a run goes by, and every chat that was tried. */
async function fitted(
  serves: (chat: { model: string; max_tokens?: number }) => boolean,
  refused: object = REFUSED,
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
  expect(await fitted(() => true)).toEqual({ place: '/name', tried: ['name'] });
});

test('stays with it where only max_tokens is refused', async () => {
  const fit = await fitted((chat) => chat.max_tokens === undefined);
  expect(fit).toEqual({ place: '/name', tried: ['name', 'name unbounded'] });
});

test('goes by the first other place whose ID is served', async () => {
  expect(await fitted(({ model }) => model === 'slug')).toEqual({
    place: '/slug',
    tried: ['name', 'name unbounded', 'slug unbounded'],
  });
});

test('stays with the likeliest place where no ID is served', async () => {
  const tried = ['name', 'name unbounded', 'slug unbounded', 'key unbounded'];
  expect(await fitted(() => false)).toEqual({ place: '/name', tried });
});

test('tries no other place where the refusal says nothing of the request', async () => {
  expect(await fitted(() => false, { ...REFUSED, status: 402 })).toEqual({ place: '/name', tried: ['name'] });
});

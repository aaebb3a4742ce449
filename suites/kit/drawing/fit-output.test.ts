import { expect, test } from 'vitest';
import type { Draft } from '../model/draft.ts';
import type { Exchange } from '../model/exchange.ts';
import { answered } from '../test-support/exchange.ts';
import { infoForTest } from '../test-support/target-info.ts';
import type { Sender } from '../model/stimulus.ts';
import { fitOutput } from './fit-output.ts';
import { TargetUnreachable } from '../running/preflight-error.ts';

const SERVED = { body: { choices: [{ message: { content: 'Hi.' } }] } };
const REFUSED = {
  status: 400,
  body: { error: { code: 'bounds', message: 'Out of bounds.', request_id: 'r' } },
};

/** What a run of 16 output tokens fits itself to, and every max_tokens that was tried. */
async function fitted(serves: (maxTokens: number | undefined) => boolean, refused: object = REFUSED) {
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
  expect(await fitted(() => true)).toEqual({ outputTokens: 16, tried: [16] });
});

test('goes down to what a target with a small maximum serves', async () => {
  const fit = await fitted((n) => n === undefined || n <= 4);
  expect(fit).toEqual({ outputTokens: 4, tried: [16, undefined, 8, 4] });
});

test('asks for leave where only more is served than the run may ask for', async () => {
  const fit = fitted((n) => n === undefined || n >= 100);
  await expect(fit).rejects.toThrow(TargetUnreachable);
  await expect(fit).rejects.toThrow('--max-output-tokens 128');
});

test('leaves it to the checks where the chat is refused whatever max_tokens is', async () => {
  expect(await fitted(() => false)).toEqual({ outputTokens: 16, tried: [16, undefined] });
  expect(await fitted((n) => n === undefined)).toMatchObject({ outputTokens: 16 });
});

test('leaves it to the checks where the refusal says nothing of the request', async () => {
  expect(await fitted(() => false, { ...REFUSED, status: 402 })).toEqual({ outputTokens: 16, tried: [16] });
});

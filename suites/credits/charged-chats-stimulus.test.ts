import { expect, test } from 'vitest';
import type { Draft } from '../engine/model/exchange.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { deploymentForTest } from '../engine/test-support/deployment.ts';
import { SERVED, senderForTest } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { chargedChats } from './completions-debited.ts';

/** What the chats ask for, in their order. */
async function asked(info: TargetInfo): Promise<readonly string[]> {
  const bodies: string[] = [];
  const sender = senderForTest(({ body }: Draft) => {
    bodies.push(String(body));
    return SERVED;
  });
  for (const input of chargedChats.inputs(info).examples)
    await chargedChats.send(input, { ...sender, ...deploymentForTest() }, info);
  return bodies.map((body) => {
    const { messages: _, ...fields } = JSON.parse(body);
    return JSON.stringify(fields);
  });
}

test('asks for whole and streamed output of two models, and for output without bounds', async () => {
  const models = [{ id: 'a' }, { id: 'b' }, { id: 'c' }] as const;
  expect(await asked({ ...infoForTest(), models, outputTokens: 16 })).toEqual([
    '{"model":"a","max_tokens":16,"stream":true}',
    '{"model":"b","max_tokens":16}',
    '{"model":"a","max_tokens":16}',
    '{"model":"b","max_tokens":16,"stream":true}',
    '{"model":"a"}',
  ]);
});

test('asks for the only model there is', async () => {
  const bodies = await asked({ ...infoForTest(), models: [{ id: 'a' }] });
  expect(bodies.every((body) => body.includes('"model":"a"'))).toBe(true);
});

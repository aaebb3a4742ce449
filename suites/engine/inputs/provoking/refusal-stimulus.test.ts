import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unknownFields } from '../../../../fixtures/invalid/unknown-fields.ts';
import type { Draft } from '../../model/exchange.ts';
import type { TargetInfo } from '../../model/target.ts';
import { senderForTest, SERVED } from '../../test-support/rulings.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { refusals } from './refusal-stimulus.ts';

const stimulus = refusals({
  name: 'any',
  cappedCount: 1,
  examples: unknownFields.examples,
  arbitrary: unknownFields.arbitrary,
});

/** The model and the key of each draft that a hundred draws send, mutant or counterpart. */
async function askedFor(info: TargetInfo): Promise<ReadonlySet<string>> {
  const asked = new Set<string>();
  const sender = senderForTest(({ body, credential }: Draft) => {
    const { model }: { model: string } = JSON.parse(String(body));
    asked.add(`${model} ${credential?.kind === 'key' ? credential.name : 'primary'}`);
    return SERVED;
  });
  const { arbitrary = fc.constant(undefined) } = stimulus.inputs(info);
  for (const input of fc.sample(arbitrary, { numRuns: 100, seed: 1 }))
    await stimulus.send(input, sender, info);
  return asked;
}

test('draws chats for any listed model, and some with the second key for those that it may use', async () => {
  expect(await askedFor(infoForTest())).toEqual(new Set(['small primary', 'sharp primary']));
  const secondModels = [{ id: 'sharp' }, { id: 'other' }];
  expect(await askedFor(infoForTest({ secondModels }))).toEqual(
    new Set(['small primary', 'sharp primary', 'sharp second']),
  );
});

test('draws chats for the cheapest model alone where every completion counts, or where there is no other', async () => {
  expect(await askedFor(infoForTest({ thrifty: true }))).toEqual(new Set(['small primary']));
  expect(await askedFor(infoForTest({ models: [{ id: 'only' }] }))).toEqual(new Set(['only primary']));
});

test('gives the mutant and its counterpart the same model and key', async () => {
  const info = infoForTest({ secondModels: [{ id: 'small' }] });
  const { arbitrary = fc.constant(undefined) } = stimulus.inputs(info);
  const sender = senderForTest(() => SERVED);
  for (const input of fc.sample(arbitrary, { numRuns: 30, seed: 2 })) {
    const { counterpart, exchanges } = await stimulus.send(input, sender, info);
    expect(exchanges[0]?.request.credential).toEqual(counterpart?.request.credential);
  }
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unknownFields } from '../../../../fixtures/invalid/unknown-fields.ts';
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

/** The model of each draft that a hundred draws send, mutant or counterpart. */
async function askedFor(info: TargetInfo): Promise<ReadonlySet<string>> {
  const asked = new Set<string>();
  const sender = senderForTest(({ body }) => {
    const { model }: { model: string } = JSON.parse(String(body));
    asked.add(model);
    return SERVED;
  });
  const { arbitrary = fc.constant(undefined) } = stimulus.inputs(info);
  for (const input of fc.sample(arbitrary, { numRuns: 100, seed: 1 }))
    await stimulus.send(input, sender, info);
  return asked;
}

test('draws chats for any listed model', async () => {
  expect(await askedFor(infoForTest())).toEqual(new Set(['small', 'sharp']));
});

test('draws chats for the cheapest model alone where every completion counts, or where there is no other', async () => {
  expect(await askedFor(infoForTest({ thrifty: true }))).toEqual(new Set(['small']));
  expect(await askedFor(infoForTest({ models: [{ id: 'only' }] }))).toEqual(new Set(['only']));
});

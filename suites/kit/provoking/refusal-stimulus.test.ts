import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unknownFields } from '../../../fixtures/invalid/unknown-fields.ts';
import type { Draft } from '../model/draft.ts';
import { senderForTest, SERVED } from '../test-support/rulings.ts';
import { surveyForTest } from '../test-support/survey.ts';
import type { Survey } from '../model/target-info.ts';
import { refusals } from './refusal-stimulus.ts';

const stimulus = refusals({
  name: 'any',
  smokeCount: 1,
  examples: unknownFields.examples,
  arbitrary: unknownFields.arbitrary,
});

/** The model and the key of each draft that a hundred draws send, mutant or twin. */
async function askedFor(survey: Survey): Promise<ReadonlySet<string>> {
  const asked = new Set<string>();
  const sender = senderForTest(({ body, credential }: Draft) => {
    const { model }: { model: string } = JSON.parse(String(body));
    asked.add(`${model} ${credential?.kind === 'key' ? credential.name : 'primary'}`);
    return SERVED;
  });
  const { drawn = fc.constant(undefined) } = stimulus.inputs(survey);
  for (const input of fc.sample(drawn, { numRuns: 100, seed: 1 })) await stimulus.send(input, sender, survey);
  return asked;
}

test('draws chats for any listed model, and some with the second key for those that it may use', async () => {
  expect(await askedFor(surveyForTest())).toEqual(new Set(['small primary', 'sharp primary']));
  const secondModels = [{ id: 'sharp' }, { id: 'other' }];
  expect(await askedFor(surveyForTest({ secondModels }))).toEqual(
    new Set(['small primary', 'sharp primary', 'sharp second']),
  );
});

test('draws chats for the cheapest model alone where every completion counts, or where there is no other', async () => {
  expect(await askedFor(surveyForTest({ thrifty: true }))).toEqual(new Set(['small primary']));
  expect(await askedFor(surveyForTest({ models: [{ id: 'only' }] }))).toEqual(new Set(['only primary']));
});

test('gives the mutant and its twin the same model and key, and costs what they send', async () => {
  const survey = surveyForTest({ secondModels: [{ id: 'small' }] });
  const { drawn = fc.constant(undefined) } = stimulus.inputs(survey);
  for (const input of fc.sample(drawn, { numRuns: 30, seed: 2 })) {
    const { control, exchanges } = await stimulus.send(
      input,
      senderForTest(() => SERVED),
      survey,
    );
    expect(exchanges[0]?.request.credential).toEqual(control?.request.credential);
    const { twins = [] } = stimulus.cost(input, survey);
    expect(twins.map(({ credential }) => credential)).toEqual([control?.request.credential]);
  }
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHECKS } from '../../catalogue.ts';
import { stimulus, type DrawnInput } from '../model/stimulus.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { drawsOf } from './draws.ts';
import { inputOf, rememberedFirst } from './remembered-draws.ts';

const info = infoForTest({ keys: new Set(['primary', 'second', 'unscoped']), control: true });

const words = stimulus<{ exchanges: [] }, { word: string }>({
  name: 'words',
  stage: 'free',
  cappedCount: 2,
  inputs: () => ({
    examples: ['a', 'b', 'c', 'd', 'e'.repeat(20_000)].map((word) => ({ word })),
    arbitrary: fc.record({ word: fc.string() }),
  }),
  cost: ({ word }) => ({ reads: word.length }),
  send: async () => ({ exchanges: [] }),
});

/** The IDs of the draws of a small run that remembers failures of these texts, made in these ways. */
function idsWith(
  ...inputs: readonly (readonly [text: string, origin?: string | undefined])[]
): readonly string[] {
  const remembered = inputs.map(([text, origin]) => ({
    check: 'c',
    code: 'x',
    input: { stimulus: 'words', text, ...(origin !== undefined && { origin }) },
  }));
  return rememberedFirst(drawsOf(words, info, 1, 'fewest'), words, info, remembered).map(({ id }) => id);
}

/** The inputs of a random draw of another seed, and of the simplest that its search may come to. */
function randomInputs(): readonly DrawnInput[] {
  const drawn = drawsOf(words, info, 42, 9)
    .slice(5)
    .find((draw) => !draw.text().includes('""'));
  const inputs: DrawnInput[] = [];
  for (let draw = drawn; draw !== undefined; [draw] = [...draw.simpler()].slice(-1))
    inputs.push(inputOf(draw));
  return inputs;
}

test.each([
  ['an input that the run draws anyway, once', '{"word":"a"}', undefined, ['words/0']],
  ['an example that the seed leaves out', '{"word":"d"}', '3', ['words/3', 'words/0']],
  ['an example that an older release had in another place', '{"word":"d"}', '1', ['words/3', 'words/0']],
  ['no input of which nobody says how it was made', '{"word":"zz"}', undefined, ['words/0']],
  ['no input that is not what its origin makes', '{"word":"zz"}', '0@42', ['words/0']],
  ['nothing for an origin that is none', '{"word":"zz"}', '0@42:x', ['words/0']],
  ['nothing for an origin far away', '{"word":"zz"}', '9999@42:9999:9999', ['words/0']],
])('draws first, given its text, %s', (_what, text, origin, ids) => {
  expect(idsWith([text, origin])).toEqual(ids);
});

test('makes an input of another seed again, and those towards its simplest form', () => {
  const inputs = randomInputs();
  expect(inputs.length).toBeGreaterThan(2);
  for (const { text, origin } of inputs)
    expect(idsWith([text, origin])).toEqual(['words/again-0', 'words/0']);
});

test('finds a long example again by the hash of its text', () => {
  const [text = ''] = drawsOf(words, info, 1, 0)
    .slice(4)
    .map((draw) => inputOf(draw).text);
  expect(text).toMatch(/^sha256:/);
  expect(idsWith([text])).toEqual(['words/4', 'words/0']);
});

test('makes every input of every stimulus again', () => {
  const lost = [...new Set(CHECKS.map(({ given }) => given))].flatMap((given) => {
    const draws = drawsOf(given, info, 1, 5);
    const inputs = draws.map(inputOf);
    const remembered = inputs.map((input) => ({ check: 'c', code: 'x', input }));
    const again = rememberedFirst([], given, info, remembered).map(inputOf);
    const known = new Set(again.map(({ text }) => text));
    return inputs.every(({ text }) => known.has(text)) ? [] : [given.name];
  });
  expect(lost).toEqual([]);
});

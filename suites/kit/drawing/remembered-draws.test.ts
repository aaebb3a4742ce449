import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHECKS } from '../../catalogue.ts';
import { stimulus } from '../model/stimulus.ts';
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

/** The IDs of the draws of a small run that remembers failures of these texts. */
function idsWith(...texts: readonly string[]): readonly string[] {
  const remembered = texts.map((text) => ({ check: 'c', code: 'x', input: { stimulus: 'words', text } }));
  return rememberedFirst(drawsOf(words, info, 1, 'fewest'), words, info, remembered).map(({ id }) => id);
}

test.each([
  ['an input that the run draws anyway, once', '{"word":"a"}', ['words/0']],
  ['an example that the seed leaves out', '{"word":"d"}', ['words/3', 'words/0']],
  ['an input of another seed', '{"word":"zz"}', ['words/again-0', 'words/0']],
  ['no input of an older release, whose cost cannot be told', '{"text":"zz"}', ['words/0']],
  ['no input that cannot be made from its text', '{"word":()=>1}', ['words/0']],
])('draws first, given its text, %s', (_what, text, ids) => {
  expect(idsWith(text)).toEqual(ids);
});

test('finds a long example again by the hash of its text', () => {
  const [text = ''] = drawsOf(words, info, 1, 0)
    .slice(4)
    .map((draw) => inputOf(draw).text);
  expect(text).toMatch(/^sha256:/);
  expect(idsWith(text)).toEqual(['words/4', 'words/0']);
});

test('makes every input of every stimulus again, but for random credentials and bytes', () => {
  const lost = [...new Set(CHECKS.map(({ given }) => given))].flatMap((given) => {
    const draws = drawsOf(given, info, 1, 15);
    const inputs = draws.map(inputOf);
    const remembered = inputs.map((input) => ({ check: 'c', code: 'x', input }));
    const again = rememberedFirst([], given, info, remembered).map(inputOf);
    const known = new Set(again.map(({ text }) => text));
    return inputs.every(({ text }) => known.has(text)) ? [] : [given.name];
  });
  expect(lost).toEqual(['wrong-key', 'malformed-bodies']);
});

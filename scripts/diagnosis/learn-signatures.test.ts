import { expect, test } from 'vitest';
import type { DefectName } from '../../mock-server/defects/defects.ts';
import { bugsIn } from '../../suites/kit/diagnosis/signature.ts';
import { learnSignatures, signatureText } from './learn-signatures.ts';
import type { SymptomRun } from './symptom-run.ts';

/** A run in which a check failed on the first of two inputs. */
function runOf(
  name: DefectName,
  check: string,
  [bad, good]: readonly [string, string],
  seed: number,
): SymptomRun {
  const failed = { kind: `accepted ${check}`, answer: '2xx completion', shape: 'aaaa' };
  return {
    name,
    world: { name, kind: 'variant', start: () => Promise.reject(new Error('is not started')) },
    seed,
    bugs: [[name]],
    blamed: new Set<string>(),
    symptoms: [
      { check, input: bad, failed },
      { check, input: good },
    ],
  };
}

const tools = [1, 2].map((seed) => runOf('tools-ignored', 'tools-refused', ['/tools', '/n'], seed));
const top = [1, 2].map((seed) => runOf('top-p-allowed', 'fields-refused', ['/top_p', '/n'], seed));

test('learns what failed, on what and how, and reads it back from its text', () => {
  const file = learnSignatures([...tools, ...top], [1, 2]);
  expect(JSON.parse(signatureText(file))).toEqual(file);
  const sign = bugsIn(file)
    .find(({ name }) => name === 'top-p-allowed')
    ?.signs.get('fields-refused');
  expect(sign).toMatchObject({ failed: 2, tried: 4, fails: new Set(['/top_p']), holds: new Set(['/n']) });
  expect(sign?.kinds).toEqual(new Map([['accepted fields-refused', 1]]));
});

test('keeps what it knew of other defects where it learns one anew', () => {
  const { bugs, ...lists } = learnSignatures([...top, ...tools], [1, 2]);
  const { 'tools-ignored': kept, ...others } = bugs;
  const again = learnSignatures(top, [1, 2], { ...lists, bugs: { ...(kept && { 'tools-ignored': kept }) } });
  expect(Object.keys(others)).toEqual(['top-p-allowed']);
  expect(bugsIn(again)).toEqual(bugsIn({ ...lists, bugs }));
});

test('leaves out inputs that only one run has sent', () => {
  const [first, second] = [
    runOf('top-p-allowed', 'fields-refused', ['/top_p', '/a'], 1),
    runOf('top-p-allowed', 'fields-refused', ['/top_p', '/b'], 2),
  ];
  expect(learnSignatures([first, second], [1, 2]).inputs).toEqual(['/top_p']);
});

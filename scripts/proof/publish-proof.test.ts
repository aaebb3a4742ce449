import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isDefectName } from '../../mock-server/defects/defects.ts';
import { goalsOf } from './proof-goals.ts';
import { proofPage } from './proof-page.ts';
import { defectNamesOf, isProvedDefect } from './proved-defects.ts';
import { publishedProof } from './publish-proof.ts';
import { SIZES } from './size.ts';

// Whatever fails here is made anew by: npm run prove -- --size live --publish

const PROOF = publishedProof();

// How much was tried may be less than is to be: the page says so itself.
test('has published no goal of soundness that is not met', () => {
  expect(goalsOf(PROOF).filter(({ about, isMet }) => about === 'soundness' && !isMet)).toEqual([]);
});

test('has published the page that its numbers make', () => {
  expect(readFileSync(new URL('../../docs/proof.md', import.meta.url), 'utf8')).toBe(proofPage(PROOF));
});

// That those of the second service are tried is a goal of extent.
test('has published numbers of every defect of the mock, within the caps of a live target', () => {
  const published = Object.keys(PROOF.live?.defects ?? {}).filter(isDefectName);
  expect(published.toSorted()).toEqual(defectNamesOf('mock').toSorted());
});

test('has published nothing of a defect that there is not', () => {
  const names = SIZES.flatMap((size) => Object.keys(PROOF[size]?.defects ?? {}));
  expect(names.filter((name) => !isProvedDefect(name))).toEqual([]);
});

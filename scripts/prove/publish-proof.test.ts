import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isDefectName } from '../../fixtures/defects.ts';
import { goalsOf } from './proof-goals.ts';
import { proofPage } from './proof-page.ts';
import { publishedProof } from './publish-proof.ts';
import { SIZES } from './size.ts';

// Whatever fails here is made anew by: npm run prove -- --size live --publish

const PROOF = publishedProof();

test('has published that every goal is met', () => {
  expect(goalsOf(PROOF).filter(({ isMet }) => !isMet)).toEqual([]);
});

test('has published the page that its numbers make', () => {
  expect(readFileSync(new URL('../../docs/proof.md', import.meta.url), 'utf8')).toBe(proofPage(PROOF));
});

test('has published nothing of a defect that there is not', () => {
  const names = SIZES.flatMap((size) => Object.keys(PROOF[size]?.defects ?? {}));
  expect(names.filter((name) => !isDefectName(name))).toEqual([]);
});

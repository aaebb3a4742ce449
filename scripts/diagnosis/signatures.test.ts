import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFECTS, defectNames } from '../../mock-server/defects/defects.ts';
import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import {
  bugsIn,
  knownBugs,
  readSignatureFile,
  SIGNATURE_FILE,
} from '../../suites/kit/diagnosis/signature.ts';
import { combinedDefects, LIKE_DEFECTS, secondServiceDefects, singleDefects } from './diagnosed-services.ts';
import { measure } from './measure.ts';
import { makeSymptomRuns } from './symptom-run.ts';

// Where one of these fails, the signatures are stale: npm run signatures makes them again.

test('has a file that tells of the defects as they are, or "npm run signatures" is due', () => {
  const { bugs } = readSignatureFile();
  for (const [name, { story, clauses }] of Object.entries(bugs)) {
    const known = defectNames().find((each) => each === name);
    expect(known && { story: DEFECTS[known].story, clauses: DEFECTS[known].clauses }).toEqual({
      story,
      clauses,
    });
  }
  // A run against some of them cannot begin.
  const missing = defectNames().filter((name) => bugs[name] === undefined);
  expect(missing.length).toBeLessThan(defectNames().length / 10);
});

test('has a file that names only checks that there are, or "npm run signatures" is due', () => {
  const ids = new Set([...CHECKS, ...INVARIANTS].map(({ id }) => id));
  const named = bugsIn(readSignatureFile()).flatMap(({ signs }) => [...signs.keys()]);
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
});

test('stays small, and in lines that can be read', () => {
  expect(statSync(SIGNATURE_FILE).size).toBeLessThan(112_000);
});

test('knows which defects of the second service are like one of the mock', () => {
  const worlds = new Set(secondServiceDefects(1).map(({ world }) => world.name));
  expect(Object.keys(LIKE_DEFECTS).filter((name) => !worlds.has(name))).toEqual([]);
});

test('names most bugs of new services and calls hardly another likely, or "npm run signatures" is due', async () => {
  const some = singleDefects(77).filter((_, i) => i % 40 === 25);
  const runs = await makeSymptomRuns(
    [...some, ...combinedDefects(77).filter((_, i) => i % 10 === 0)],
    () => {},
  );
  const { bugs, amongThree, likely, wrong } = measure(runs, knownBugs());
  expect(amongThree / bugs).toBeGreaterThanOrEqual(0.85);
  expect(likely).toBeGreaterThan(10);
  expect(wrong).toBeLessThanOrEqual(1);
}, 180_000);

import { expect, test } from 'vitest';
import { CLAUSES, type ClauseId, clauseIds } from '../../fixtures/clauses/clauses.ts';
import { DEFECTS, defectNames } from './defects.ts';
import { OPEN_POINTS, isOpenPointName } from '../../fixtures/clauses/open-points.ts';

const ALL = defectNames().map((name) => ({ name, ...DEFECTS[name] }));

test('names every defect in words joined by hyphens', () => {
  expect(ALL.filter(({ name }) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(name))).toEqual([]);
});

test('tells every story once, in a sentence without its full stop', () => {
  expect(ALL.filter(({ story }) => !/^["#A-Za-z][^]*[^.]$/.test(story))).toEqual([]);
  expect(new Set(ALL.map(({ story }) => story)).size).toBe(ALL.length);
});

test('breaks every clause that binds a service', () => {
  const broken = new Set(ALL.flatMap(({ clauses: breaks }) => breaks));
  expect(clauseIds().filter((id) => CLAUSES[id].bound === 'service' && !broken.has(id))).toEqual([]);
});

test('breaks no clause that binds callers', () => {
  const broken = ALL.flatMap(({ clauses: breaks }) => breaks);
  expect(broken.filter((id) => CLAUSES[id].bound === 'caller')).toEqual([]);
});

test('gives a reason for each further clause that may be blamed, and names none twice', () => {
  for (const { name, clauses: breaks, alsoBlamed = {} } of ALL) {
    const twice = breaks.filter((clause) => Object.hasOwn(alsoBlamed, clause));
    expect([name, ...twice]).toEqual([name]);
    expect(Object.values(alsoBlamed).filter((reason) => reason.length < 20)).toEqual([]);
  }
});

test('pins points of the broken clauses where those are open, and nowhere else', () => {
  const isOpen = (clause: ClauseId): boolean => CLAUSES[clause].level === 'open';
  for (const { name, clauses: breaks, pins } of ALL) {
    expect([name, pins !== undefined]).toEqual([name, breaks.some(isOpen)]);
    const points = Object.keys(pins ?? {}).filter(isOpenPointName);
    expect(points.map((point) => OPEN_POINTS[point].clause)).toEqual(pins === undefined ? [] : [...breaks]);
  }
});

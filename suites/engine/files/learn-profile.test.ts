import { expect, test } from 'vitest';
import { type JsonReport, reportSchema } from '../model/summary.ts';
import { jsonReport } from '../reports/json-report.ts';
import { SUMMARY } from '../test-support/summary.ts';
import { learnProfile } from './learn-profile.ts';

function reportOf(...open: JsonReport['open']): JsonReport {
  return { ...reportSchema.parse(JSON.parse(jsonReport(SUMMARY))), open };
}

const CODE = { clause: 'ERR-9', point: 'error.code', observed: '/error/code' } as const;

test('pins what was observed', () => {
  expect(learnProfile(reportOf(CODE)).profile).toEqual({ pins: { 'error.code': '/error/code' } });
});

test('leaves out, with the reason, what varied, is momentary, was unclear or is unknown', () => {
  const { profile, notes } = learnProfile(
    reportOf(
      { clause: 'RES-6', point: 'response.fields', observed: [['a'], ['a', 'b']], varied: true },
      { clause: 'LIM-5', point: 'limits.retry_after', observed: '3' },
      { clause: 'STR-5', point: 'stream.framing', observed: 'unknown' },
      { clause: 'ERR-9', point: 'a.later.point', observed: 1 },
    ),
  );
  expect(profile).toEqual({ pins: {} });
  expect(notes).toEqual([
    'learned from a run against http://127.0.0.1:1/v1 at 2026-01-01T00:00:00.000Z, seed 7',
    'not learned because it varied: response.fields',
    'not learned because it changes from one moment to the next: limits.retry_after',
    'not learned because the observation was unclear: stream.framing',
    'not learned because this release does not know it: a.later.point',
  ]);
});

test('keeps facts, and pins that the run says nothing of, and lists the others that it changes', () => {
  const before = {
    name: 'staging',
    pins: {
      'stream.newline': 'lf',
      'stream.framing': 'chunks',
      'error.code': '/code',
      'error.message': '/error/message',
      'vision.shape': 'map',
    },
  };
  const unclear = { clause: 'STR-5', point: 'stream.framing', observed: 'unknown' } as const;
  const message = { clause: 'ERR-9', point: 'error.message', observed: '/error/message' } as const;
  const varied: JsonReport['open'][number] = {
    clause: 'VIS-3',
    point: 'vision.shape',
    observed: ['map', 'flag'],
    varied: true,
  };
  const { profile, notes } = learnProfile(reportOf(CODE, message, varied, unclear), before);
  const { 'vision.shape': _, ...kept } = before.pins;
  expect(profile).toEqual({ name: 'staging', pins: { ...kept, 'error.code': '/error/code' } });
  expect(notes.filter((note) => note.startsWith('changed'))).toEqual([
    'changed: error.code "/code" → "/error/code"',
    'changed: vision.shape "map" → no pin',
  ]);
});

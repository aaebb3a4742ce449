import { expect, test } from 'vitest';
import { runsLine } from './option-lines.ts';

const CAPS = { requests: 300, completions: 80, outputTokens: 16 };

test('says what --runs sends, and what keeps it from that', () => {
  expect(runsLine({ runs: 3 }, { runs: 3, caps: CAPS })).toBe(
    '--runs 3: every known input and 3 random ones of each kind, as far as 300 requests and 80 completions allow',
  );
  const unlimited = { requests: Infinity, completions: Infinity, outputTokens: 64 };
  expect(runsLine({ runs: 1 }, { runs: 1, caps: unlimited })).toBe(
    '--runs 1: every known input and 1 random one of each kind',
  );
  expect(runsLine({ runs: 'few' }, { runs: 'few', caps: unlimited })).toBe(
    '--runs few: some of the known inputs of each kind, and no random one',
  );
  expect(runsLine({}, { runs: 'few', caps: CAPS })).toBeUndefined();
});

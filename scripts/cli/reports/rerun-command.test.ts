import { expect, test } from 'vitest';
import { rerunCommand } from './rerun-command.ts';

test('returns a line with what decides the draws given the options of a run', () => {
  const flags = { baseUrl: 'http://127.0.0.1:1/v1', profile: "it's mine.json", quiet: true, report: 'out' };
  expect(rerunCommand(flags, 7, 'roles-accepted')).toContain(
    String.raw`--base-url http://127.0.0.1:1/v1 --profile 'it'\''s mine.json' --seed 7 --only roles-accepted`,
  );
});

test('returns a line without the value of a header', () => {
  expect(rerunCommand({ header: ['x-session: hunter2'] }, 1, 'a')).toContain(
    '--header "x-session: $X_SESSION"',
  );
  expect(rerunCommand({ header: ['x-a:@b.txt'] }, 1, 'a')).toContain('--header x-a:@b.txt');
});

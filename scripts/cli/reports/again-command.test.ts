import { expect, test } from 'vitest';
import { headers } from '../options/headers.ts';
import { againCommand } from './again-command.ts';

test('returns a line with what decides the draws given the options of a run', () => {
  const flags = { baseUrl: 'http://127.0.0.1:1/v1', profile: "it's mine.json", quiet: true, report: 'out' };
  expect(againCommand(flags, 7)).toContain(
    String.raw`--base-url http://127.0.0.1:1/v1 --profile 'it'\''s mine.json' --seed 7`,
  );
});

test('returns a line that reads the same configuration, or none', () => {
  expect(againCommand({ config: 'here.json', target: 'a' }, 1)).toContain(' --target a --config here.json ');
  expect(againCommand({ config: false }, 1)).toContain(' --no-config ');
  expect(againCommand({}, 1)).not.toContain('config');
});

test('returns a line without the value of a header', () => {
  expect(againCommand({ header: headers.parse('x-session: hunter2') }, 1)).toContain(
    '--header "x-session: $X_SESSION"',
  );
  expect(againCommand({ header: headers.parse('x-a:@b.txt') }, 1)).toContain('--header x-a:@b.txt');
});

test('returns a line that goes the same way', () => {
  const flags = {
    proxy: 'http://p:3128',
    noProxy: 'a.example',
    ca: 'ca.pem',
    cert: 'c.pem',
    certKey: 'k.pem',
    pace: '30/m',
  };
  expect(againCommand(flags, 1)).toContain(
    ' --seed 1 --pace 30/m --proxy http://p:3128 --no-proxy a.example --ca ca.pem --cert c.pem --cert-key k.pem',
  );
});

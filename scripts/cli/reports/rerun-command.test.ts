import { expect, test } from 'vitest';
import { rerunCommand } from './rerun-command.ts';

test('returns a line with what decides the draws given the options of a run', () => {
  const flags = { baseUrl: 'http://127.0.0.1:1/v1', profile: "it's mine.json", quiet: true, report: 'out' };
  expect(rerunCommand(flags, 7, 'roles-accepted')).toContain(
    String.raw`--base-url http://127.0.0.1:1/v1 --profile 'it'\''s mine.json' --seed 7 --only roles-accepted`,
  );
});

test('returns a line that reads the same configuration, or none', () => {
  expect(rerunCommand({ config: 'here.json', target: 'a' }, 1, 'a')).toContain(
    '--config here.json --target a ',
  );
  expect(rerunCommand({ config: false }, 1, 'a')).toContain(' --no-config ');
  expect(rerunCommand({}, 1, 'a')).not.toContain('config');
});

test('returns a line without the value of a header', () => {
  expect(rerunCommand({ header: ['x-session: hunter2'] }, 1, 'a')).toContain(
    '--header "x-session: $X_SESSION"',
  );
  expect(rerunCommand({ header: ['x-a:@b.txt'] }, 1, 'a')).toContain('--header x-a:@b.txt');
});

test('returns a line that goes the same way', () => {
  const flags = {
    proxy: 'http://p:3128',
    noProxy: 'a.example',
    proxyTunnel: true,
    ca: 'ca.pem',
    cert: 'c.pem',
    certKey: 'k.pem',
    resolve: ['p:3128:10.0.0.7'],
    http2: true,
    pace: { requests: 30, perMs: 60_000 },
  };
  expect(rerunCommand(flags, 1, 'a')).toContain(
    '--proxy http://p:3128 --no-proxy a.example --proxy-tunnel --ca ca.pem --cert c.pem --cert-key k.pem --resolve p:3128:10.0.0.7 --http2 --pace 30/m --seed 1',
  );
});

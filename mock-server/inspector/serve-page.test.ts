import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Mock, MockOptions } from '../start-mock.ts';
import { openMock } from '../test-support/open-mock.ts';

const started = (options: MockOptions = {}): Promise<Mock> => openMock({ control: true, ...options });

async function ask({ port }: Mock, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request({ port, host: '127.0.0.1', path, method, headers }).end();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (response === undefined) throw new Error('no answer came');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

test('serves the page and its files under a policy that lets in nothing else', async () => {
  const mock = await started();
  const { status, headers, body } = await ask(mock, '/control/ui');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
  expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  expect(body).not.toMatch(/<script>|<style| style=| on\w+=/);
  const files = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
  expect(files).toHaveLength(3);
  for (const file of files) {
    const answered = await ask(mock, file);
    expect([answered.status, answered.headers['content-security-policy']]).toEqual([200, policy]);
    expect(answered.body.length).toBeGreaterThan(100);
  }
  const head = await ask(mock, '/control/ui/', {}, 'HEAD');
  expect([head.status, head.headers['content-length'], head.body]).toEqual([200, String(body.length), '']);
});

test.each([
  ['/control/ui/page-files.ts', 'GET', 404],
  ['/control/ui/..%2f..%2fpackage.json', 'GET', 404],
  ['/control/ui/__proto__', 'GET', 404],
  ['/control/ui', 'POST', 405],
  ['/control/uis', 'GET', 404],
])('answers %s, %s with %i', async (path, method, status) => {
  expect((await ask(await started(), path, {}, method)).status).toBe(status);
});

test('shows the page under no foreign name, unless a token guards what it reads', async () => {
  const foreign = { host: 'evil.example' };
  expect((await ask(await started(), '/control/ui', foreign)).status).toBe(403);
  const mock = await started({ controlToken: 't0ken' });
  expect((await ask(mock, '/control/ui', foreign)).status).toBe(200);
  for (const path of ['/control/events', '/control/journal', '/control/faults', '/control/nothing'])
    expect((await ask(mock, path)).status).toBe(401);
});

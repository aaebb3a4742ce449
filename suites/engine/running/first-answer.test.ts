import { expect, test } from 'vitest';
import type { Outcome } from '../model/exchange.ts';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';
import { firstAnswer, KeyRefused, pageProblem, TargetUnreachable } from './first-answer.ts';

const url = 'https://host.example/v1/models';

function problemWith(outcome: Outcome, proxy?: string): unknown {
  try {
    firstAnswer(outcome, { url, key: 'CHAT_API_KEY', login: 'CHAT_PROXY_AUTH', proxy });
    return undefined;
  } catch (error) {
    return error;
  }
}

function lineOf(outcome: Outcome, proxy?: string): string | undefined {
  const error = problemWith(outcome, proxy);
  return error instanceof Error ? error.message : undefined;
}

const answeredWith = (answer: AnswerForTest): Outcome => answered(answer).outcome;

test('finds nothing wrong with a success', () => {
  expect(lineOf(answeredWith({ status: 200, body: '<html>' }))).toBeUndefined();
});

test('takes a refusal in JSON for that of the service, whatever its members, and any other for that of a gateway', () => {
  expect(problemWith(answeredWith({ status: 403, body: { detail: 'no' } }))).toBeInstanceOf(KeyRefused);
  expect(problemWith(answeredWith({ status: 403, body: 'no' }))).toBeInstanceOf(TargetUnreachable);
});

test.each([
  [{ status: 302, headers: { location: '/v1/models' } }, 'pass --base-url https://host.example/v1'],
  [{ status: 302, headers: {} }, 'without saying where to'],
  [{ status: 302, headers: { location: 'http://' } }, 'without saying where to'],
  [
    { status: 302, headers: { location: "http://h/$(id)';id;'/v1/models" } },
    String.raw`pass --base-url 'http://h/$(id)'\'';id;'\''/v1'`,
  ],
  [
    { status: 302, headers: { location: 'file:///etc/passwd' } },
    'it redirects to an address that is not http',
  ],
  [
    { status: 429, headers: { 'retry-after': '\u009b31m\n9' } },
    '(try again after  31m 9): its rate limit refuses every request',
  ],
  [{ status: 500 }, 'answered 500: the service, or a gateway in front of it, failed'],
  [{ status: 418 }, 'answered 418: this is not a list of models'],
  [
    { status: 401, headers: { 'www-authenticate': 'Negotiate abc' } },
    '401 (login: Negotiate): either the key in CHAT_API_KEY is wrong, or a gateway in front of the service needs a login or a header (--header NAME:VALUE)',
  ],
  [
    { status: 400, body: '<title>400 No required SSL certificate was sent</title>' },
    'No required SSL certificate',
  ],
])('names the way out given %o', (answer, line) => {
  expect(lineOf(answeredWith({ body: '', ...answer }))).toContain(line);
});

test('names the proxy given an answer without JSON, and not given one with it', () => {
  const proxy = 'the proxy p:3128';
  const way =
    'if the proxy p:3128 answered this, check CHAT_PROXY_AUTH, or bypass it with --no-proxy host.example';
  expect(lineOf(answeredWith({ status: 500, body: 'no' }), proxy)).toContain(way);
  expect(lineOf(answeredWith({ status: 500, body: { code: 'x' } }), proxy)).not.toContain(proxy);
});

test('knows a page by its type or its first tag, and no JSON for one', () => {
  const answers = [
    { headers: { 'content-type': 'text/html' }, body: 'hello' },
    { body: ' <!DOCTYPE html>' },
    { headers: { 'content-type': 'text/html' }, body: { data: [] } },
    { body: 'hello' },
  ];
  const found = answers.map((answer) => {
    const outcome = answeredWith({ status: 200, ...answer });
    return outcome.kind === 'answered' && pageProblem(outcome.answer, url) !== undefined;
  });
  expect(found).toEqual([true, true, false, false]);
});

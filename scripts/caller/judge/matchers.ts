import { redactText } from '../../../fixtures/credentials/redact-secrets.ts';
import { differences, shownValue } from '../../../mock-server/journal/differences.ts';
import {
  checkFilter,
  type RequestFilter,
  type SentRequest,
} from '../../../mock-server/journal/sent-requests.ts';
import { hiddenSecrets } from '../../../mock-server/journal/shown-exchange.ts';
import type { SandboxView } from '../../../mock-server/sandboxes/sandbox-view.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { counted } from '../../../suites/engine/reports/display-verdict.ts';
import { safeLines } from '../../../suites/engine/text/printable.ts';
import { violationsText } from './judge-sandbox.ts';

/** What `expect.extend(matchers)` adds. */
export interface MockMatchers<Returned = void> {
  /** For what `judge()` resolves to: passes if the caller kept every clause that was exercised. */
  toBeFaithful(this: void): Returned;
  /**
   * For a mock: passes if the client sent a request that has this part, or any.
   *
   * @example
   *   expect(mock()).toHaveSent({ endpoint: 'chat', body: { max_tokens: 16 }, status: 200 });
   */
  toHaveSent(this: void, filter?: RequestFilter): Returned;
  /** For a mock: passes if the client sent exactly one request that has this part. */
  toHaveSentOnce(this: void, filter?: RequestFilter): Returned;
}

/** For `expect.extend`, of vitest and of jest. */
export const matchers = {
  toBeFaithful(summary: Summary) {
    const violations = violationsText(summary);
    const message = (): string => violations ?? 'the caller kept every clause that was exercised';
    return { pass: violations === undefined, message };
  },
  toHaveSent: (mock: SentTo, filter?: RequestFilter) => sent(mock, filter),
  toHaveSentOnce: (mock: SentTo, filter?: RequestFilter) => sent(mock, filter, 'toHaveSentOnce'),
};

/** A mock that says what it received. */
type SentTo = Pick<SandboxView, 'keys' | 'requests'>;

/** How often a request should have been sent. */
type Times = 'toHaveSent' | 'toHaveSentOnce';

/** Whether requests with this part were sent, and what to say if that is not what the test expects. */
function sent(mock: SentTo, filter: RequestFilter = {}, times: Times = 'toHaveSent') {
  if (typeof Object(mock).requests !== 'function')
    throw new TypeError(`${times} looks at a mock: expect(mock()).${times}(…)`);
  checkFilter(filter, times);
  const found = mock.requests(filter);
  const pass = times === 'toHaveSentOnce' ? found.length === 1 : found.length > 0;
  const text = (): string => (found.length === 0 ? missing(mock, filter) : many(found, filter));
  return { pass, message: () => hiding(mock, text()) };
}

/** Throws an error that shows what was sent instead, unless a request with this part was sent. */
export function assertSent(mock: SentTo, filter?: RequestFilter): void {
  const { pass, message } = sent(mock, filter);
  if (!pass) throw new Error(message());
}

/** The same, unless exactly one was sent. */
export function assertSentOnce(mock: SentTo, filter?: RequestFilter): void {
  const { pass, message } = sent(mock, filter, 'toHaveSentOnce');
  if (!pass) throw new Error(message());
}

const MOST_REQUESTS = 5;
const MOST_DIFFERENCES = 3;
const LONGEST_FILTER = 300;

function many(found: readonly SentRequest[], filter: RequestFilter): string {
  const lines = found.slice(0, MOST_REQUESTS).map(named);
  const title = `${counted(found.length, 'request')} with ${shownValue(filter, LONGEST_FILTER)} came to the mock`;
  return [`${title}:`, ...lines].join('\n  ');
}

/** The nearest first: those with the fewest differences. */
function missing(mock: SentTo, filter: RequestFilter): string {
  const title = `no request with ${shownValue(filter, LONGEST_FILTER)} came to the mock`;
  const all = mock.requests().map((request) => ({ request, wrong: [...differences(filter, request)] }));
  if (all.length === 0) return `${title}, nor any other`;
  const nearest = all.toSorted((one, other) => one.wrong.length - other.wrong.length).slice(0, MOST_REQUESTS);
  const lines = nearest.map(({ request, wrong }) => {
    const more = wrong.length > MOST_DIFFERENCES ? [`${wrong.length - MOST_DIFFERENCES} more`] : [];
    return `${named(request)}: ${[...wrong.slice(0, MOST_DIFFERENCES), ...more].join('; ')}`;
  });
  return [`${title}; nearest of ${all.length}:`, ...lines].join('\n  ');
}

/** `#2 POST /v1/chat/completions 200, Idempotency-Key order-1`. */
function named({ n, method, path, status, ended, idempotencyKey }: SentRequest): string {
  const end = status ?? ended ?? 'under way';
  return `#${n} ${method} ${path} ${end}${idempotencyKey === null ? '' : `, Idempotency-Key ${idempotencyKey}`}`;
}

/** Without the keys of the world, and the secrets that the requests carry. */
function hiding(mock: SentTo, text: string): string {
  const keys = Object.entries(mock.keys).map(([name, key]) => ({ name, key }));
  const secrets = mock.requests().flatMap(({ path, query, headers, text: body }) => {
    const url = `${path}?${Object.entries(query)
      .map((pair) => pair.join('='))
      .join('&')}`;
    const rawHeaders = Object.entries(headers).flatMap(([name, value = '']) => [name, value]);
    return [...hiddenSecrets(keys, { url, rawHeaders, body: Buffer.from(body) })];
  });
  return safeLines(redactText(text, new Map(secrets)));
}

import { expect, onTestFinished, test } from 'vitest';
import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Exchange } from '../../../suites/kit/model/exchange.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
import { shortRun } from '../support/journalled-run.ts';
import { type Seen, startLayer } from '../support/layer.ts';

/** What is sent again after it needs a fresh key too. */
const RATE = { status: 429, headers: { 'retry-after': '0' }, body: '{"error":{"code":"rate_limit"}}' };

/** Every exchange of a whole run, control and all. */
async function wholeRun(): Promise<readonly Exchange[]> {
  const counts = { chats: 0, byClient: 0 };
  const meddle = ({ method, headers }: Seen) => {
    if (method !== 'POST') return undefined;
    const isByClient = headers['user-agent']?.startsWith('OpenAI') === true;
    const nth = isByClient ? (counts.byClient += 1) : (counts.chats += 1);
    return (isByClient ? nth % 2 === 1 : nth % 9 === 0) ? RATE : undefined;
  };
  const { mock, baseUrl, close } = await startLayer(meddle, { control: true });
  onTestFinished(close);
  const { primary = '', ...others } = mock.keys;
  const exchanges: Exchange[] = [];
  await runSuites(
    shortRun(
      { kind: 'mock', baseUrl, keys: { primary, ...others }, profile: {}, headers: {} },
      {
        control: { url: mock.control ?? '' },
        allow: new Set(['disruptive', 'costly']),
        onExchange: (exchange) => exchanges.push(exchange),
      },
    ),
  );
  return exchanges;
}

const OBSERVES_KEYS = /^idempotency-keys\//;

test('sends no Idempotency-Key twice in a whole run, but where repeated keys are observed', async () => {
  const exchanges = await wholeRun();
  const keyed = exchanges.flatMap(({ id, request, outcome }) => {
    const key = request.headers[HEADERS.idempotencyKey];
    return key === undefined || outcome.kind === 'not-sent' || OBSERVES_KEYS.test(id) ? [] : [{ id, key }];
  });
  expect(keyed.length).toBeGreaterThan(500);
  expect(keyed.some(({ id }) => /^client-.*\.2$/.test(id))).toBe(true);
  const uses = Map.groupBy(keyed, ({ key }) => key);
  const repeated = [...uses.values()].filter(({ length }) => length > 1);
  expect(repeated.map((each) => each.map(({ id }) => id))).toEqual([]);
});

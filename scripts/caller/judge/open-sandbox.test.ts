import { expect, onTestFinished, test } from 'vitest';
import { chatFor, ProofClient } from '../../proof/callers/proof-client.ts';
import { assertFaithful, type CallerSandbox, openSandbox } from './open-sandbox.ts';

async function open(...asked: Parameters<typeof openSandbox>): Promise<CallerSandbox> {
  const sandbox = await openSandbox(...asked);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test('plays a scenario at whatever a test runs, and judges that', async () => {
  const sandbox = await open('charged-and-lost', 7);
  const client = new ProofClient(sandbox.place);
  const [model] = await client.models();
  for (const wish of sandbox.place.task.wishes)
    await client.chat(chatFor(wish, model), { key: `k-${wish.id}` });
  const summary = await sandbox.judge([{ wish: 'wish-1', idempotencyKey: 'k-wish-1', outcome: 'uncertain' }]);
  const passed = summary.clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  expect(passed).toEqual(['IDEM-1', 'IDEM-2', 'CALL-4', 'CALL-5', 'CALL-7', 'CALL-8']);
  const inPart = summary.clauses.flatMap(({ id, missing }) => (missing === undefined ? [] : id));
  expect(inPart).toEqual(['CALL-2', 'CALL-6']);
  expect(() => assertFaithful(summary)).not.toThrow();
});

test('gives the place as environment variables too, and draws other keys and models for another seed', async () => {
  const [one, other] = [await open('plain-use', 1), await open('plain-use', 2)];
  expect(one.environment).toMatchObject({
    CHAT_BASE_URL: one.place.baseUrl,
    OPENAI_API_KEY: one.place.apiKey,
    CHAT_TIMEOUT_MS: '120000',
  });
  expect(other.place.apiKey).not.toBe(one.place.apiKey);
  const models = await Promise.all([one, other].map(({ place }) => new ProofClient(place).models()));
  expect(models[0]).not.toEqual(models[1]);
});

test('returns "not faithful" given a sandbox that received no request', async () => {
  const sandbox = await open('plain-use');
  const summary = await sandbox.judge();
  expect(() => assertFaithful(summary)).toThrow('the caller sent no request');
});

test('lists the scenarios given an unknown name', async () => {
  const name = JSON.parse('"nope"');
  await expect(openSandbox(name)).rejects.toThrow(/no scenario is called "nope": there are plain-use, /);
});

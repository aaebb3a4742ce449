import { expect, test } from 'vitest';
import { builtInWorld } from '../world/built-in-world.ts';
import { createSandboxPerTest } from './sandbox-per-test.ts';

test('fails a test that leaves a fault unfired, and not the next', async () => {
  const perTest = createSandboxPerTest({});
  await perTest.begin('a');
  perTest.current.arm('timeout phase=after-debit');
  expect(() => perTest.end('a')).toThrow('rule_1 (timeout at after-debit) was armed and never triggered');
  await perTest.begin('b');
  perTest.end('b');
  await perTest.close();
});

test('fails a test that leaves a chosen answer unused, but not for the answers of the world', async () => {
  const world = { ...builtInWorld, answers: [{ text: 'of the world' }] };
  const perTest = createSandboxPerTest({ world });
  await perTest.begin('a');
  expect(() => perTest.current.answer({ txt: 'a' })).toThrow('/0/txt: unknown field');
  perTest.current.answer('text=a contains=never');
  expect(() => perTest.end('a')).toThrow('answer_2 (for {"contains":"never"}) was never given');
  await perTest.begin('b');
  perTest.end('b');
  await perTest.close();
});

test('restores the environment, even after a failed test', async () => {
  const perTest = createSandboxPerTest({ faults: ['timeout'] });
  const before = { ...process.env };
  await perTest.begin('a');
  expect(process.env['OPENAI_API_KEY']).toBe(perTest.current.keys['primary']);
  expect(() => perTest.end('a')).toThrow('never triggered');
  expect(process.env).toEqual(before);
  await perTest.close();
});

test('gives a test the same keys after any other tests', async () => {
  const perTest = createSandboxPerTest({ seed: 4 });
  const keysOf = async (name: string): Promise<unknown> => {
    await perTest.begin(name);
    const { keys } = perTest.current;
    perTest.end(name);
    return keys;
  };
  const first = await keysOf('a');
  expect(await keysOf('b')).not.toEqual(first);
  expect(await keysOf('a')).toEqual(first);
  await perTest.close();
});

test('refuses a second test beside the first', async () => {
  const perTest = createSandboxPerTest({});
  await perTest.begin('a');
  await expect(perTest.begin('b')).rejects.toThrow('one after the other');
  perTest.end('b');
  expect(perTest.current.url).toContain('/v1');
  perTest.end('a');
  await perTest.close();
});

test('has no mock outside of a test, and none for a key that the world has not', async () => {
  const perTest = createSandboxPerTest({ key: 'third' });
  expect(() => perTest.current).toThrow('while a test runs');
  await expect(perTest.begin('a')).rejects.toThrow('no key named third');
  perTest.end('a');
  await perTest.close();
});

test('lets a test inside another share its sandbox, and ends it with the outer one', async () => {
  const perTest = createSandboxPerTest({});
  await perTest.begin('outer');
  const { url } = perTest.current;
  await perTest.begin('outer > inner');
  perTest.end('outer > inner');
  expect(perTest.current.url).toBe(url);
  perTest.current.arm('timeout');
  expect(() => perTest.end('outer')).toThrow('never triggered');
  await perTest.close();
});

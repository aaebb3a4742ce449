import { expect, onTestFinished, test, vi } from 'vitest';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { mockPerTest, type UseMockOptions } from './mock-per-test.ts';

const QUIET: UseMockOptions = { withoutRequest: 'allow' };

test('fails a test that leaves a fault unfired, but not the next, nor one that failed before', async () => {
  const perTest = mockPerTest(QUIET);
  await perTest.begin('a');
  perTest.current.arm('timeout phase=after-debit');
  expect(() => perTest.end('a')).toThrow(
    'rule_1 (timeout phase=after-debit) was never used: no request came',
  );
  await perTest.begin('b');
  perTest.end('b');
  await perTest.begin();
  perTest.current.arm('timeout');
  perTest.end(undefined, true);
  await perTest.close();
});

test('fails a test that leaves a chosen answer unused, but not for the answers of the world', async () => {
  const world = { ...builtInWorld, answers: [{ text: 'of the world' }] };
  const perTest = mockPerTest({ ...QUIET, world });
  await perTest.begin('a');
  expect(() => perTest.current.answer({ txt: 'a' })).toThrow('answer: /txt: unknown field');
  perTest.current.answer('text=a contains=never');
  expect(() => perTest.end('a')).toThrow('answer_2 (text=a contains=never) was never used');
  await perTest.begin('b');
  perTest.end('b');
  await perTest.close();
});

test('sets the environment at once, and restores it when the last of its mocks is closed', async () => {
  const before = { ...process.env };
  const [perTest, another] = [mockPerTest(QUIET), mockPerTest(QUIET)];
  const { OPENAI_BASE_URL: url } = process.env;
  await perTest.begin('a');
  expect(process.env).toMatchObject({
    OPENAI_BASE_URL: perTest.current.url,
    CHAT_API_KEY: perTest.current.keys['primary'],
  });
  expect(perTest.current.url).not.toBe(url);
  perTest.end('a');
  await perTest.close();
  await another.begin('b');
  expect(process.env['OPENAI_BASE_URL']).toBe(url);
  another.end('b');
  await another.close();
  expect(process.env).toEqual(before);
});

test('says of a test without a request at the mock where its requests may have gone', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warned.mockRestore());
  const ended = async (options: UseMockOptions): Promise<unknown> => {
    const perTest = mockPerTest(options);
    await perTest.begin('a');
    try {
      return perTest.end('a');
    } catch (error) {
      return String(error);
    } finally {
      await perTest.close();
    }
  };
  expect(await ended({ withoutRequest: 'fail' })).toMatch(/test "a"[^]*import.*before the application/);
  expect(await ended({ withoutRequest: 'allow' })).toBeUndefined();
  expect(warned).not.toHaveBeenCalled();
  expect(await ended({})).toBeUndefined();
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('may have called the real provider'));
});

test('has one mock at a time, while a test runs, and none for a key that the world has not', async () => {
  const perTest = mockPerTest(QUIET);
  expect(() => perTest.current).toThrow('while a test runs');
  await perTest.begin('a');
  await expect(perTest.begin('b')).rejects.toThrow(/one after the other.*test\.concurrent.*startMock\(\)/);
  perTest.end('b');
  expect(perTest.current.url).toContain('/v1');
  perTest.end('a');
  await perTest.close();
  expect(() => mockPerTest({ key: 'third' })).toThrow('no key named third');
});

test('completes a part of a world, and refuses one that is wrong, or an unknown option, at once', async () => {
  const perTest = mockPerTest({ ...QUIET, world: { keys: { primary: { key: 'mine' } } } });
  expect(process.env['OPENAI_API_KEY']).toBe('mine');
  await perTest.begin('a');
  const { models } = perTest.current.changeWorld({ models: { 'compact-1': null } });
  expect(models.map(({ id }) => id)).not.toContain('compact-1');
  perTest.end('a');
  await perTest.close();
  expect(() => mockPerTest({ world: { models: { none: null } } })).toThrow(
    'useMock: world/models/none: no model',
  );
  const mistyped: object = { lantency: 5 };
  expect(() => mockPerTest(mistyped)).toThrow(
    'useMock: lantency: no option is called so (did you mean latency?)',
  );
});

test('lets a test inside another share its sandbox, and ends it with the outer one', async () => {
  const perTest = mockPerTest(QUIET);
  await perTest.begin('outer');
  const { url } = perTest.current;
  await perTest.begin('outer > inner');
  perTest.end('outer > inner');
  expect(perTest.current.url).toBe(url);
  perTest.current.arm('timeout');
  expect(() => perTest.end('outer')).toThrow('was never used');
  await perTest.close();
});

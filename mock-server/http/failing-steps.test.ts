import { expect, test } from 'vitest';
import type { MockOptions } from '../start-mock.ts';
import { complete, openMock, openUnchecked } from '../test-support/open-mock.ts';
import { post, talk } from '../test-support/wire.ts';
import { completeWorld } from '../world/check-world.ts';

const CHAT = '{"model":"compact-1","messages":[{"role":"user","content":"a"}]}';

/** Node refuses to write its answers. No world says this that was checked. */
const unwritable = completeWorld({ choices: { versioning: { deprecation: 'a\nb' } } });

/** Vitest fails the run for an uncaught error. */
test.each<[MockOptions, ...string[]]>([
  [{}],
  [{ latency: 1 }],
  [{ control: true }],
  [{ faults: ['timeout ms=1 phase=after-debit'] }],
  [{ faults: ['pieces bytes=9'] }],
  [{}, 'x-mock-fault: connection_reset phase=inside-body'],
])(
  'drops the connection, and lives, given an answer that cannot be written and %j',
  async (options, ...headers) => {
    const log: string[] = [];
    const mock = await openUnchecked(unwritable, { ...options, log: (line) => log.push(line) });
    for (let round = 0; round < 3; round += 1)
      expect(await talk(mock, post(mock, CHAT, ...headers))).toBe('');
    expect(log.filter((line) => line.startsWith('a request was dropped: '))).toHaveLength(3);
  },
);

const broken = (): never => {
  throw new Error('broken ledger');
};

test.each([0, 1])(
  'answers 500 when the ledger fails at the debit and at the release, after %d ms',
  async (latency) => {
    const log: string[] = [];
    const mock = await openMock({ latency, log: (line) => log.push(line) });
    Object.assign(mock.sandboxes.root.service.ledger, { succeed: broken, fail: broken });
    for (let round = 0; round < 2; round += 1) {
      const answer = await complete(mock);
      expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('internal_error')]);
    }
    expect(log.join('\n')).toContain('broken ledger');
  },
);

test('lives, and says so, when the ledger fails at the release of a request whose answer was lost', async () => {
  const log: string[] = [];
  const faults = ['connection_closed phase=after-reservation then=fails'];
  const mock = await openMock({ faults, log: (line) => log.push(line) });
  Object.assign(mock.sandboxes.root.service.ledger, { fail: broken });
  await expect(complete(mock)).rejects.toThrow('fetch failed');
  await expect.poll(() => log.join('\n')).toContain('broken ledger');
});

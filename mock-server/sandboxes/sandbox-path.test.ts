import { expect, test } from 'vitest';

import { sandboxPrefix, splitSandboxUrl } from './sandbox-path.ts';

test('splits a URL into its sandbox and the rest', () => {
  expect(splitSandboxUrl(`${sandboxPrefix('s1')}/v1/models?a=/b`)).toEqual({
    id: 's1',
    rest: '/v1/models?a=/b',
  });
});

test.each(['/v1/models', '/sandboxes', '/sandboxes/s1', '/x/sandboxes/s1/v1'])(
  'finds no sandbox in %s',
  (url) => {
    expect(splitSandboxUrl(url)).toBe(null);
  },
);

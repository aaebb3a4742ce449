import { expect, test } from 'vitest';
import { isSource } from './watch-files.ts';

test.each('bug.mjs src/App.JAVA schema.sql package.json tsconfig.base.json .env.local Dockerfile'.split(' '))(
  'takes %s for what people write',
  (path) => expect(isSource(path)).toBe(true),
);

test.each('data.db rates.json log/2.png service.log 17'.split(' '))(
  'takes %s for data that a service may write',
  (path) => expect(isSource(path)).toBe(false),
);

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from './generated-files.ts';

test.each(generatedFiles().map((file) => [file.path, file] as const))(
  'finds %s as "npm run generate" would write it',
  (_path, { url, text }) => {
    expect(readFileSync(url, 'utf8')).toBe(text);
  },
);

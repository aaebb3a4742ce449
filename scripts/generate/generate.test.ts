import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generatedFiles } from './generated-files.ts';

test.each(generatedFiles().map((file) => [file.path, file] as const))(
  'finds %s as "npm run generate" would write it',
  (_path, { url, text }) => {
    expect(readFileSync(url, 'utf8')).toBe(text);
  },
);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test.each(globSync(['*.md', 'docs/*.md'], { cwd: ROOT, exclude: ['CHANGELOG.md'] }))(
  'finds every file that %s names',
  (document) => {
    const text = readFileSync(`${ROOT}${document}`, 'utf8');
    const named = text.match(/\b(?:scripts|suites|mock-server|fixtures)\/[\w./-]+\.\w+\b/g) ?? [];
    expect(named.filter((file) => globSync(file, { cwd: ROOT }).length === 0)).toEqual([]);
  },
);

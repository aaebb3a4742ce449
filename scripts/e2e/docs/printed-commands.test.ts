import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { subcommands } from '../../cli/command-line.ts';
import { addCheckOptions } from '../../cli/options/check-table.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** The arguments of each command in code blocks and between backticks, continued lines joined. */
function commandsIn(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/\\\n */g, '');
  const called = /(?:^|[`\s])(?:npm run conformance --|chat-conformance)((?: +[^\n`]*)?)/g;
  return [...text.matchAll(called)].map(([, words = '']) => words.trim());
}

/** The command that these words call, and its options; words after `--` belong to another program. */
function read(words: readonly string[], within: Command): { command: Command; options: readonly string[] } {
  const [first = '', ...rest] = words;
  const sub = within.commands.find((each) => each.name() === first);
  if (sub !== undefined) return read(rest, sub);
  const end = words.indexOf('--');
  const own = end === -1 ? words : words.slice(0, end);
  const options = own.flatMap((word) => /^(--[a-z-]+)/.exec(word)?.[1] ?? []);
  return { command: within, options };
}

test.each(PAGES)('%s uses only options that the command has', (page) => {
  const whole = addCheckOptions(new Command().enablePositionalOptions());
  for (const sub of subcommands()) whole.addCommand(sub);
  for (const line of commandsIn(page)) {
    const { command, options } = read(line.split(/\s+/), whole);
    const known = [...command.options.map(({ long }) => long), '--help', '--version'];
    for (const option of options)
      expect({ line, known }).toMatchObject({ known: expect.arrayContaining([option]) });
  }
});

test('finds the commands in the README', () => {
  expect(commandsIn('README.md')).toEqual(
    expect.arrayContaining(['explain REQ-6', 'mock --port 8080', 'diff out/full out/next']),
  );
});

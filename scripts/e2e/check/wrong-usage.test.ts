import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { subcommands } from '../../cli/subcommands.ts';
import { callCommand, type CommandResult, resultOf, spawnCommand } from '../support/command.ts';
import { startCountingServer, refuseKey } from '../support/counting-server.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

/**
 * What each command is given: words that it does not take, also after `--`, and places with nothing, an empty file or an
 * empty folder in them. UNSET is an argument made of a variable that is not set; GOOD the report folder of a run.
 */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  '': [
    'word',
    '-- word',
    '-- --help',
    '--plan -- word',
    '--show-config word',
    '--mock --base-url URL',
    '--only UNSET',
    '--only no-such-check',
    '--config MISSING',
    '--config EMPTY',
    '--config UNSET',
    '--checks MISSING',
    '--checks EMPTY',
    '--checks UNSET',
    '--profile MISSING',
    '--profile EMPTY',
    '--profile FOLDER',
    '--profile UNSET',
    '--baseline MISSING',
    '--baseline EMPTY',
    '--baseline UNSET',
    '--report EMPTY',
    '--report UNSET',
    '--base-url UNSET',
    '--base-url URL --ca EMPTY',
    '--base-url URL --ca MISSING',
    '--base-url URL --cert EMPTY',
    '--base-url URL --api-key-file EMPTY',
    '--base-url URL --api-key-file UNSET',
    '--base-url URL --header x:@EMPTY',
    '--base-url URL --control-url UNSET',
    '--base-url URL --proxy UNSET',
    '--base-url URL --resolve UNSET',
    '--base-url URL --start UNSET',
    '--base-url URL --write-baseline FOLDER',
    '--base-url URL --write-baseline UNSET',
    '--watch MISSING --base-url URL',
    '--watch',
    '--target local',
  ],
  mock: [
    'word',
    '-- --help',
    '--world EMPTY',
    '--world UNSET',
    '--scenario UNSET',
    '--tls EMPTY,EMPTY',
    '--tls UNSET',
    '--fault UNSET',
    '--answer UNSET',
    '--variant UNSET',
    '--record UNSET',
    '--record URL --recording EMPTY',
    '--record URL --recording UNSET',
    '--control --control-token UNSET --host 0.0.0.0',
  ],
  caller: [
    '',
    '--',
    '-- UNSET',
    '-- --help',
    '-- MISSING',
    '--scenario UNSET -- node',
    '--report EMPTY -- node',
    '--report UNSET -- node',
    '--env-key UNSET -- node',
  ],
  proxy: [
    '',
    'word',
    '--target UNSET',
    '--target URL word',
    '--target URL -- --help',
    '--target URL --ca EMPTY',
    '--target URL --report EMPTY',
    '--target URL --report UNSET',
    '--target URL --control-token-file EMPTY',
  ],
  list: ['word', '-- word', '-- --json', '--checks MISSING', '--checks EMPTY', '--checks UNSET'],
  explain: ['', 'UNSET', 'NO-1', 'REQ-6 REQ-7', 'REQ-6 -- REQ-7', '-- --help', 'REQ-6 --checks EMPTY'],
  report: [
    '',
    'UNSET',
    'MISSING',
    'EMPTY',
    'FOLDER',
    'GOOD word',
    'GOOD -- word',
    '-- --help',
    'GOOD --har FOLDER',
    'GOOD --har UNSET',
    'GOOD --report EMPTY',
    'GOOD --report UNSET',
    'GOOD --checks EMPTY',
    'GOOD --rejudge --checks EMPTY',
    '--rejudge MISSING',
    'GOOD --baseline EMPTY',
  ],
  merge: ['', '--', '-- --help', 'UNSET', 'MISSING', 'EMPTY', 'FOLDER', 'GOOD GOOD', 'GOOD --baseline EMPTY'],
  replay: ['', 'word', '-- --help'],
  rejudge: ['', 'word --quiet'],
  diff: ['', 'GOOD', 'GOOD MISSING', 'GOOD EMPTY', 'GOOD UNSET', 'GOOD GOOD GOOD', '-- --help GOOD'],
  'profile learn': [
    '',
    'UNSET',
    'MISSING',
    'EMPTY',
    'FOLDER',
    '-- --help',
    'GOOD GOOD',
    'GOOD --write FOLDER',
    'GOOD --write EMPTY',
    'GOOD --write UNSET',
  ],
  profile: ['', 'word', '-- --help'],
  init: ['word', '-- word', '-- --help'],
};

/** By its words: `profile learn`. */
function wordsOf(command: Command): readonly string[] {
  const below = command.commands.flatMap(wordsOf).map((words) => `${command.name()} ${words}`);
  return [command.name(), ...below];
}

type CommandLine = Parameters<typeof callCommand>;

/** Runs each: a mock listens to the channel of its process, and is given one of its own. */
async function endsOf(name: string, lines: readonly CommandLine[]): Promise<readonly CommandResult[]> {
  if (name === 'mock')
    return Promise.all(
      lines.map((line) => {
        const child = spawnCommand(...line);
        onTestFinished(() => void child.kill('SIGKILL'));
        return resultOf(child);
      }),
    );
  const results: CommandResult[] = [];
  for (const line of lines) results.push(await callCommand(...line));
  return results;
}

test('knows wrong usage of every command', () => {
  const names = ['', ...subcommands().flatMap(wordsOf)];
  expect(Object.keys(WRONG).toSorted()).toEqual(names.toSorted());
});

test.each(Object.entries(WRONG))(
  'ends with 2 and a line that says why, and does nothing, given wrong usage of: %s',
  async (name, usages) => {
    const folder = temporaryFolder();
    const [file, nothing, good] = ['empty.json', 'nothing', 'good'].map((each) => join(folder, each));
    writeFileSync(file ?? '', '');
    mkdirSync(nothing ?? '');
    await callCommand(['--only', 'RES-6', '--tier', 'smoke', '--report', good ?? '', '--quiet']);
    const service = await startCountingServer(refuseKey);
    const places: Readonly<Record<string, string | undefined>> = {
      EMPTY: file,
      FOLDER: nothing,
      GOOD: good,
      MISSING: '/nowhere/at/all',
      URL: `${service.origin}/v1`,
      UNSET: '',
    };
    const given = (usage: string): CommandLine => {
      const words = `${name} ${usage}`.split(' ').filter((word) => word !== '');
      const args = words.map((word) => word.replaceAll(/[A-Z]{3,}/g, (found) => places[found] ?? found));
      return [args, usage.includes('URL') ? { CHAT_API_KEY: 'sk-a-key-of-a-test-0123' } : {}];
    };
    const said = name === 'profile' ? /./ : /^(?:seed \d+\n)?(?:error|mock): .+\n$/;
    for (const [i, { code, stdout, stderr }] of (await endsOf(name, usages.map(given))).entries())
      expect({ usage: usages[i], code, stdout, stderr }).toEqual({
        usage: usages[i],
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(said),
      });
    expect(service.count()).toBe(0);
    await service.close();
  },
);

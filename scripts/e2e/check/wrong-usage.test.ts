import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { beforeAll, expect, test } from 'vitest';
import { serve } from '../../../suites/engine/test-support/service.ts';
import { subcommands } from '../../cli/command-line.ts';
import { callCommand } from '../support/command.ts';
import { refuseKey } from '../support/erring-service.ts';
import { sharedFolder } from '../support/journalled-run.ts';

const KEY = 'sk-a-key-that-nobody-must-see-0123456789';

/**
 * What each command is given: words that it does not take, also after `--`, and places with nothing, an empty file or an
 * empty folder in them, with a part of the line that says what is wrong. UNSET is an argument made of a variable that is not
 * set; GOOD the report folder of a run; KEY one that nobody must see.
 */
const WRONG: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    lst: 'unknown command "lst"',
    KEY: 'unknown command: ',
    '-- --help': '--help',
    '--seed 1 list': 'does not belong before a command',
    '--maxrequests 3': "unknown option '--maxrequests' (Did you mean --max-requests?)",
    '--key=KEY': "unknown option '--key'",
    '--api-key KEY': 'set CHAT_API_KEY',
    '--control-token=KEY': "unknown option '--control-token'",
    '--plan -- word': 'word',
    '--base-url UNSET': '--base-url',
    '--base-url URL --api-key-file EMPTY': 'key',
    '--base-url URL --ca EMPTY': 'empty.json',
    '--base-url URL --profile MISSING': 'ENOENT',
    '--base-url URL --profile BROKEN': 'broken.json#: ',
    '--base-url URL --profile FOLDER': 'nothing',
    '--base-url URL --profile DEVICE': 'is not a regular file: save its content in a file first',
    '--base-url URL --profile LARGE': 'is larger than 64 MiB',
    '--base-url URL --api-key-file DEVICE': 'cannot read --api-key-file',
    '--base-url URL --ca DEVICE': 'is not a regular file',
    '--base-url URL --report EMPTY': 'cannot write to the report folder',
    '--base-url URL --write-baseline FOLDER': 'nothing',
    '--base-url URL --write-baseline EMPTY/b.json': 'cannot write',
    '--only UNSET': '--only',
    '--only no-such-check': 'is called "no-such-check": chat-conformance list shows them all',
    '--only REQ-6,': 'comma-separated list',
    '--seed x': "'--seed <n>' argument 'x' is invalid",
    '--max-requests 1.5': 'whole number of 1 or more',
    '--concurrency 0': 'whole number from 1',
    '--pace 0/s': 'It must be N/s or N/m',
    '--pace 5': 'It must be N/s or N/m',
    '--pace 1.5/h': 'It must be N/s or N/m',
    '--timeout -5': 'whole number from 1',
    '--runs many': 'whole number',
    '--allow everything': 'disruptive, costly',
    '--fail-on pass': 'warn, not-exercised',
    '--tier huge': 'one of: free, smoke, full, exhaustive',
    '--tier free --max-completions 9': '--max-completions must be 0 or 1',
    '--json': '--json requires --plan',
    '--plan fast': 'unknown command "fast"',
    '--config MISSING': 'there is no configuration file /nowhere/at/all',
    '--config UNSET': '--config',
    '--target local': 'local',
    '--checks MISSING': 'ENOENT',
    '--checks DEVICE': 'is not a regular file',
    '--baseline EMPTY': 'empty.json',
    '--watch': '--watch requires --base-url',
    '--watch --mock': '--watch requires --base-url',
    '--watch --plan --base-url URL': '--watch and --plan exclude each other',
    '--start true': '--start requires --base-url',
    '--base-url http://127.0.0.1:{port}/v1': 'requires {port} in --start',
    '--base-url http://127.0.0.1:{port}/v1 --start serve': 'requires {port} in --start',
    '--watch MISSING --base-url URL': '/nowhere/at/all',
  },
  mock: {
    word: 'word',
    '-- --help': '--help',
    '--world MISSING': 'error: /nowhere/at/all: cannot be read (ENOENT)',
    '--fault time_out': 'error: --fault "time_out": /fault: no such fault',
    '--defect top-p-allwed': 'no defect is called "top-p-allwed": did you mean top-p-allowed',
    '--defect top-p-allowed --variant keys-ignored': '--defect works only with the built-in world',
    '--variant crlf': 'is not a variant of the mock: choose one of temperature-to-one, ',
    '--model UNSET': '--model',
    '--host UNSET': '--host',
    '--clock rael': 'error: --clock: expected real, frozen, or an instant ',
    '--concurrency 0': '--concurrency',
    '--control --host 0.0.0.0':
      'The control API needs a token of 16 characters or more, without blanks, to listen on 0.0.0.0',
    '--port PORT': 'EADDRINUSE',
    '--port PORT -- touch never': 'EADDRINUSE',
    '-- no-such-program-here': 'cannot start "no-such-program-here": no such program',
    '--as openai': '--as requires a command',
    '--as other -- true': 'must be one of: openai',
    '--host 192.0.2.1': 'cannot listen on 192.0.2.1 (EADDRNOTAVAIL)',
  },
  caller: {
    '': 'a command is required',
    '-- no-such-program-here': 'cannot start "no-such-program-here": no such program',
    '-- /': 'cannot start "/": EACCES',
    '--scenario plain -- true': 'must be one of: plain-use, rate-limited, ',
    '-- MISSING': '/nowhere/at/all',
    '--serve true': '--serve and --drive require each other',
    '--drive true': '--serve and --drive require each other',
    '--serve true --drive true -- true': '--serve and --drive require each other, instead of COMMAND',
    '--serve false --drive true': '--serve ended with code 1 before it was ready',
    '--scenario lost-before-restart -- true': '--scenario lost-before-restart requires --serve',
    '-- --help': '--help',
    '--env-key A-B -- node': 'name of an environment variable',
    '--unknown -- --help': "unknown option '--unknown'",
    '--scenario UNSET -- node': '--scenario',
    '--report EMPTY -- node': 'empty.json',
  },
  proxy: {
    '': '--target is required',
    '--target http://127.0.0.1:9': 'must end in the version segment',
    '--target URL --port PORT': 'cannot listen on 127.0.0.1:',
    word: 'word',
    '--target UNSET': '--target',
    '--target URL -- --help': '--help',
    '--target URL --ca EMPTY': 'empty.json',
    '--target URL --report EMPTY': 'empty.json',
  },
  list: { word: 'word', '-- --json': '--json', '--checks MISSING': 'ENOENT', '--checks EMPTY': 'empty.json' },
  explain: {
    '': "missing required argument 'name'",
    UNSET: 'no check, clause, section, kind of requests or open point is called ""',
    'STRR-2': 'did you mean STR-2',
    'REQ-6 -- REQ-7': 'REQ-7',
    'REQ-6 --checks EMPTY': 'empty.json',
  },
  report: {
    MISSING: 'there is no /nowhere/at/all',
    FOLDER: 'holds no journal.ndjson',
    BROKEN: 'is not a journal',
    '': 'chat-conformance-report',
    UNSET: 'there is no ',
    'GOOD -- word': 'word',
    'GOOD --report EMPTY': 'empty.json',
    'GOOD --checks EMPTY': '--checks requires --rejudge',
    'GOOD --baseline EMPTY': 'empty.json',
  },
  diff: {
    '': 'report',
    GOOD: 'diff needs a second report besides',
    'GOOD MISSING': 'ENOENT',
    'GOOD KILLED': 'has no report.json: chat-conformance report /',
    'GOOD BROKEN': 'broken.json#',
    'GOOD DEVICE': 'is not a regular file',
    'GOOD GOOD GOOD': 'argument',
  },
  'profile learn': {
    '': 'report',
    MISSING: 'ENOENT',
    EMPTY: 'empty.json',
    'GOOD GOOD': 'argument',
    'GOOD --write FOLDER': 'nothing',
  },
  profile: { word: 'word', '-- --help': '--help' },
  init: { word: 'word', '-- --help': '--help' },
};

/** By its words: `profile learn`. */
function wordsOf(command: Command): readonly string[] {
  const below = command.commands.flatMap(wordsOf).map((words) => `${command.name()} ${words}`);
  return [command.name(), ...below];
}

test('knows wrong usage of every command', () => {
  const names = ['', ...subcommands().flatMap(wordsOf)];
  expect(Object.keys(WRONG).toSorted()).toEqual(names.toSorted());
});

const folder = sharedFolder();
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  writeFileSync(at('empty.json'), '');
  writeFileSync(at('broken.json'), '{"format":"chat-conformance/profile","version":1,"pin":{}}');
  writeFileSync(at('large.json'), '');
  truncateSync(at('large.json'), 65 * 1024 * 1024);
  mkdirSync(at('nothing'));
  mkdirSync(at('killed'));
  writeFileSync(at('killed/journal.ndjson'), '');
  await callCommand(['--only', 'RES-6', '--tier', 'smoke', '--report', at('good'), '--quiet']);
});

test.each(Object.entries(WRONG))(
  'ends with 2 and a line that says why, and does nothing, given wrong usage of: %s',
  async (name, usages) => {
    const service = await serve(refuseKey);
    const places: Readonly<Record<string, string>> = {
      BROKEN: at('broken.json'),
      DEVICE: '/dev/zero',
      EMPTY: at('empty.json'),
      FOLDER: at('nothing'),
      GOOD: at('good'),
      KEY,
      KILLED: at('killed'),
      LARGE: at('large.json'),
      MISSING: '/nowhere/at/all',
      PORT: new URL(service.origin).port,
      UNSET: '',
      URL: service.baseUrl,
    };
    const said = name === 'profile' ? /./ : /^(?:seed \d+\n)?error: .+\n$/;
    for (const [usage, line] of Object.entries(usages)) {
      const words = `${name} ${usage}`.split(' ').filter((word) => word !== '');
      const args = words.map((word) => word.replaceAll(/[A-Z]{3,}/g, (found) => places[found] ?? found));
      const env = usage.includes('URL') ? { CHAT_API_KEY: KEY } : {};
      const { code, stdout, stderr } = await callCommand(args, env);
      expect.soft({ usage, code, stdout, stderr }).toEqual({
        usage,
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(said),
      });
      expect.soft({ usage, stderr }).toEqual({ usage, stderr: expect.stringContaining(line) });
      expect(stderr).not.toContain(KEY);
    }
    expect(service.arrived).toEqual([]);
  },
);

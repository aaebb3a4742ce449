import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../../../suites/engine/text/read-json-file.ts';
import { UsageError } from '../terminal/exit.ts';
import { writeLine } from '../terminal/output.ts';
import { CONFIGURATION_NAMES } from './find-configuration.ts';
import { CONFIGURATION_TEXT, JOB_TEXT } from './init-texts.ts';

const JOB_FILE = '.github/workflows/chat-conformance.yml';
const IGNORED = 'chat-conformance-report/';

/**
 * `chat-conformance init`: writes a configuration, a CI job and a line for git. Asks nothing, and changes no file that
 * is there, but adds to `.gitignore`.
 * @throws {UsageError} When a file cannot be written.
 */
export function runInitCommand(): void {
  const there = CONFIGURATION_NAMES.find((name) => existsSync(name));
  if (there === undefined) written(CONFIGURATION_NAMES[0], CONFIGURATION_TEXT);
  else writeLine(`${there} is there already`);
  if (existsSync(JOB_FILE)) writeLine(`${JOB_FILE} is there already`);
  else written(JOB_FILE, JOB_TEXT);
  ignored();
  writeLine('Next: name your targets there, then chat-conformance --target local --plan');
}

function written(file: string, text: string): void {
  guarded(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  });
  writeLine(`wrote ${file}`);
}

function ignored(): void {
  const before = existsSync('.gitignore')
    ? guarded('.gitignore', () => readFileSync('.gitignore', 'utf8'))
    : '';
  const lines = before.split(/\r?\n/).map((line) => line.trim().replace(/^\//, '').replace(/\/$/, ''));
  if (lines.includes(IGNORED.slice(0, -1))) return writeLine('.gitignore has its line already');
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  guarded('.gitignore', () => writeFileSync('.gitignore', `${before}${separator}${IGNORED}\n`));
  writeLine(`added ${IGNORED} to .gitignore`);
}

function guarded<T>(file: string, change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw new UsageError(`cannot write ${file} (${errorCode(error)})`);
  }
}

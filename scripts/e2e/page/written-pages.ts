import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { htmlReport } from '../../../suites/engine/reports/html-report.ts';
import { EVERY_VERDICT } from '../../../suites/engine/test-support/every-verdict.ts';
import { runCommand } from '../support/command.ts';
import { HOSTILE_WORDS, startHostileService } from './hostile-service.ts';

async function ofHostileService(report: string): Promise<void> {
  const flags = ['--tier', 'smoke', '--seed', '5', '--report', report];
  const args = ['--base-url', await startHostileService(), ...flags];
  const { code, stderr } = await runCommand(args, { CHAT_API_KEY: 'sk-a-key-of-this-test-0123' });
  if (code !== 1) throw new Error(`the run ended with ${code}: ${stderr}`);
}

/** A caller that sends no Idempotency-Key, and whatever it likes. */
const CALLER = `
  const { CHAT_BASE_URL: url, CHAT_API_KEY } = process.env;
  const headers = { authorization: 'Bearer ' + CHAT_API_KEY, 'content-type': 'application/json' };
  const { data } = await (await fetch(url + '/models', { headers })).json();
  const messages = [{ role: 'user', content: ${JSON.stringify(HOSTILE_WORDS)} }];
  for (const more of [{}, { [messages[0].content]: 1 }]) {
    const body = JSON.stringify({ model: data[0].id, messages, ...more });
    await fetch(url + '/chat/completions', { method: 'POST', headers, body });
  }`;

async function ofCaller(report: string): Promise<void> {
  const played = ['--scenario', 'plain-use', '--seed', '5', '--report', report];
  const command = [process.execPath, '--input-type=module', '-e', CALLER];
  const { code, stderr } = await runCommand(['caller', ...played, '--', ...command]);
  if (code !== 1) throw new Error(`the caller was judged ${code}: ${stderr}`);
}

async function ofEveryVerdict(report: string): Promise<void> {
  await mkdir(report);
  await writeFile(join(report, 'report.html'), htmlReport(EVERY_VERDICT));
}

const WRITERS = {
  'a service of hostile words': ofHostileService,
  'a caller that breaks a clause': ofCaller,
  'every verdict there is': ofEveryVerdict,
} as const;

/** What the pages are of. */
export const PAGES = Object.keys(WRITERS);

/** The address of a page in the folder, whether or not it has been written. */
export function addressOf(folder: string, name: string): string {
  return pathToFileURL(join(folder, name, 'report.html')).href;
}

/** Writes all pages, each to a folder of its name. */
export async function writePages(folder: string): Promise<void> {
  await Promise.all(Object.entries(WRITERS).map(([name, write]) => write(join(folder, name))));
}

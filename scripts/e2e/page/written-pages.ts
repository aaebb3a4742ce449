import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startMock } from '../../../mock-server/start-mock.ts';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import type { World } from '../../../mock-server/world/world-schema.ts';
import { htmlReport } from '../../../suites/engine/reports/html-report.ts';
import { EVERY_VERDICT } from '../../../suites/engine/test-support/every-verdict.ts';
import { runCommand } from '../support/command.ts';
import { HOSTILE_WORDS, startHostileService } from './hostile-service.ts';

const named = (id: string): string => `${id}${HOSTILE_WORDS}`;

/** The built-in world, but that its models have names that nobody wants on a page. */
function hostileWorld(): World {
  const models = builtInWorld.models.map((model) => ({ ...model, id: named(model.id) }));
  const keys = builtInWorld.keys.map((key) => (key.models ? { ...key, models: key.models.map(named) } : key));
  return { ...builtInWorld, models, keys };
}

async function checked(baseUrl: string, report: string, more: readonly string[], key: string): Promise<void> {
  const args = ['--base-url', baseUrl, '--seed', '5', '--report', report, ...more];
  const { code, stderr } = await runCommand(args, { CHAT_API_KEY: key });
  if (code !== 1) throw new Error(`the run ended with ${code}: ${stderr}`);
}

async function ofMock(report: string): Promise<void> {
  const mock = await startMock({ world: hostileWorld(), defect: 'unknown-fields-stripped', control: true });
  const control = mock.control === undefined ? [] : ['--control-url', mock.control];
  await checked(mock.url, report, control, mock.keys['primary'] ?? '');
  await mock.close();
}

async function ofHostileService(report: string): Promise<void> {
  await checked(await startHostileService(), report, [], 'sk-a-key-of-this-test-0123');
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
  'a mock with a defect and hostile model IDs': ofMock,
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

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AttackName } from './attacks.ts';
import { withOwnFolder } from './own-folder.ts';

const own = (path: string): string =>
  fileURLToPath(new URL(path + extname(import.meta.url), import.meta.url));
const [SERVICE, COMMAND] = [own('./hostile-service'), own('../chat-conformance')];

/** The options that load TypeScript; those of `node -e SCRIPT` would run the script again, without end. */
const RUNTIME = process.execArgv.includes('-e') ? [] : process.execArgv;
const THIS_COMMAND = [...RUNTIME, COMMAND];

/** How a command ended, and what it took. */
export interface MeasuredCommand {
  readonly code: number | null;
  readonly seconds: number;
  /** The most memory that the command had, in MB. */
  readonly rss: number;
  readonly journalMB: number;
  /** The outcome in its report; undefined without one. */
  readonly outcome: string | undefined;
  readonly stderr: string;
}

interface AttackOptions {
  /** Sent to the command when it is attacked. */
  readonly signal?: NodeJS.Signals;
  /** Of the command, beside the target and the report. */
  readonly args?: readonly string[];
  /** What Node runs; default: the command from where this stands. */
  readonly command?: readonly string[];
}

/** Runs the command, as a process of its own, against a service that makes one attack. */
export async function attackedRun(
  name: AttackName,
  size: number,
  {
    signal,
    args = ['--tier', 'smoke', '--seed', '1', '--timeout', '60000'],
    command = THIS_COMMAND,
  }: AttackOptions = {},
): Promise<MeasuredCommand> {
  const service = fork(SERVICE, [name, String(size)], { execArgv: [...RUNTIME] });
  try {
    const [baseUrl]: string[] = await once(service, 'message');
    return await withOwnFolder((folder) =>
      measured([...command, '--base-url', baseUrl ?? '', ...args], folder, (child) => {
        if (signal !== undefined) service.once('message', () => setTimeout(() => child.kill(signal), 50));
      }),
    );
  } finally {
    service.disconnect();
  }
}

/** Makes the reports of a journal. */
export function measuredReport(journal: string, folder: string): Promise<MeasuredCommand> {
  return measured([...THIS_COMMAND, 'report', journal], folder);
}

/** The journal of a small run against the mock of the command. */
export async function journalOfRun(folder: string): Promise<string> {
  const { outcome, stderr } = await measured([...THIS_COMMAND, '--tier', 'smoke', '--seed', '1'], folder);
  if (outcome === undefined) throw new Error(`the run left no report: ${stderr}`);
  return join(folder, 'out', 'journal.ndjson');
}

async function measured(
  args: readonly string[],
  folder: string,
  onStart: (child: ChildProcess) => void = () => {},
): Promise<MeasuredCommand> {
  const report = join(folder, 'out');
  const start = performance.now();
  const child = spawn(process.execPath, [...args, '--report', report, '--quiet'], {
    cwd: folder,
    env: { ...process.env, CHAT_API_KEY: 'sk-a-key-of-an-attack-4711' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onStart(child);
  const { stderr, rss } = await watched(child);
  const seconds = (performance.now() - start) / 1000;
  const journal = statSync(join(report, 'journal.ndjson'), { throwIfNoEntry: false })?.size ?? 0;
  return {
    code: child.exitCode,
    seconds,
    rss,
    journalMB: journal / 1e6,
    outcome: outcomeIn(report),
    stderr,
  };
}

const EVERY_MS = 50;

async function watched(child: ChildProcess): Promise<{ readonly stderr: string; readonly rss: number }> {
  let stderr = '';
  let rss = 0;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const timer = setInterval(() => (rss = Math.max(rss, peakOf(child.pid))), EVERY_MS);
  await once(child, 'close');
  clearInterval(timer);
  return { stderr, rss };
}

/** Of a process that lives; 0 where the system does not say. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}

function outcomeIn(report: string): string | undefined {
  const file = join(report, 'report.json');
  if (!existsSync(file)) return undefined;
  const { outcome }: { outcome?: string } = JSON.parse(readFileSync(file, 'utf8'));
  return outcome;
}

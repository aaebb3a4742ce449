import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AttackName } from './attacks.ts';

const own = (path: string): string =>
  fileURLToPath(new URL(path + extname(import.meta.url), import.meta.url));
const [SERVICE, COMMAND] = [own('./hostile-service'), own('../chat-conformance')];

/** The options that load TypeScript; those of `node -e SCRIPT` would run the script again, without end. */
const RUNTIME = process.execArgv.includes('-e') ? [] : process.execArgv;

/** How a run against a hostile service ended. */
export interface AttackedRun {
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
}

/** Runs the command, as a process of its own, against a service that makes one attack. */
export async function attackedRun(
  name: AttackName,
  size: number,
  { signal, args = ['--tier', 'smoke', '--seed', '1', '--timeout', '60000'] }: AttackOptions = {},
): Promise<AttackedRun> {
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  const service = fork(SERVICE, [name, String(size)], { execArgv: [...RUNTIME] });
  try {
    const [baseUrl]: string[] = await once(service, 'message');
    const report = join(folder, 'out');
    const start = performance.now();
    const child = spawn(
      process.execPath,
      [...RUNTIME, COMMAND, '--base-url', baseUrl ?? '', '--report', report, '--quiet', ...args],
      {
        cwd: folder,
        env: { ...process.env, CHAT_API_KEY: 'sk-a-key-of-an-attack-4711' },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    if (signal !== undefined) service.once('message', () => setTimeout(() => child.kill(signal), 50));
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
  } finally {
    service.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
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

import { setTimeout as wait } from 'node:timers/promises';
import { type Host, startMock } from '../../../mock-server/start-mock.ts';
import type { RunOutcome } from '../../../suites/engine/model/summary.ts';
import type { Command, ProcessGroup } from '../../caller/process-group.ts';
import type { MockFlags } from '../options/command-tables.ts';
import { EXIT, interruptible, noteLine, UsageError, writeLine } from '../terminal/terminal.ts';
import { inFlags, mockOptions } from './mock-options.ts';

/**
 * Serves a mock until SIGTERM, SIGINT or SIGHUP, then drains and ends. One JSON line on stdout says that it is ready:
 * `{ url, keys, seed, pid, control?, ui?, defect? }`. Everything else goes to stderr. The exit code is 0, that of the verdicts, or
 * 2 with one line on stderr for a wrong option or file, or a port that cannot be had. Given a command, it serves while
 * that runs, prints nothing on stdout, and passes on its exit code.
 */
export async function runMockCommand(options: MockFlags, words: readonly string[]): Promise<void> {
  if (options.defect === 'list') return writeLine((await import('./mock-words.ts')).defectList());
  const [program, ...args] = words;
  if (program !== undefined) return runWithCommand(options, [program, ...args]);
  if (options.as !== undefined)
    throw new UsageError('--as requires a command: mock [options] -- COMMAND ARGS…');
  const { promise: stopped, resolve: stop } = Promise.withResolvers<NodeJS.Signals>();
  // The handlers are set before the mock says that it is ready.
  await interruptible(stop, async () => {
    const mock = await start(options);
    await ready(mock);
    log(`stopping: ${await stopped}`);
    await mock.close();
    process.exitCode = EXIT[await logEnd(mock, options)];
    log('stopped');
  });
}

async function start(flags: MockFlags): Promise<Host> {
  const options = await mockOptions(flags);
  return startMock({ ...options, log }).catch((error: unknown) => {
    throw inFlags(error, flags);
  });
}

/** How long a command may take to end by itself after a signal. */
const ENDING_MS = 10_000;

/** Serves a mock while a command runs, with the streams of this process, and passes signals on to it. */
async function runWithCommand(flags: MockFlags, command: Command): Promise<void> {
  const { shellCode, startGroup } = await import('../../caller/process-group.ts');
  const { GRACE_MS, inheritedEnvironment } = await import('../../caller/start-command.ts');
  const mock = await start({ ...flags, control: true });
  const env = { ...inheritedEnvironment(), ...variablesOf(mock, flags) };
  let group: ProcessGroup | undefined;
  const passOn = (name: NodeJS.Signals) => void group?.signal(name);
  let code;
  try {
    code = await interruptible(passOn, async (signal) => {
      group = await startGroup(command, { env, stdio: 'inherit' });
      const { child, exited, end } = group;
      const isAsked = new Promise((resolve) => signal.addEventListener('abort', resolve));
      await Promise.race([exited, isAsked]);
      await Promise.race([exited, wait(ENDING_MS, undefined, { ref: false })]);
      await end(GRACE_MS);
      await exited;
      return shellCode(child);
    });
  } finally {
    await mock.close();
  }
  const outcome = await logEnd(mock, flags);
  process.exitCode = code === 0 ? EXIT[outcome] : code;
}

/** The mock, as clients look for it. The key is the first of its world. */
function variablesOf({ url, control = '', keys }: Host, { as = [], controlToken }: MockFlags) {
  const [key = ''] = Object.values(keys);
  const token = controlToken ?? process.env['CHAT_CONTROL_TOKEN'];
  return {
    CHAT_BASE_URL: url,
    CHAT_API_KEY: key,
    CHAT_CONTROL_URL: control,
    ...(token !== undefined && { CHAT_CONTROL_TOKEN: token }),
    ...(as.includes('openai') && { OPENAI_BASE_URL: url, OPENAI_API_KEY: key }),
  };
}

/**
 * Logs each armed fault that was never triggered, and each answer that was never given, which would go unnoticed; and the
 * verdicts on the callers of the mock's own world, where they are judged. Returns their outcome.
 */
async function logEnd({ sandboxes: { root } }: Host, { judge = false }: MockFlags): Promise<RunOutcome> {
  const { faults, answers } = root.service;
  const unused = [...faults.unfired(), ...answers.unfired()];
  if (unused.length > 0) {
    const { neverUsed } = await import('../../../mock-server/rules/rule-plan.ts');
    for (const rule of unused) log(neverUsed(rule, root.journal?.entries()));
  }
  if (!judge) return 'conformant';
  const { judgementOn } = await import('../../caller/judge/judge-sandbox.ts');
  const { text, outcome } = judgementOn(root);
  noteLine(text);
  return outcome;
}

async function ready(mock: Host): Promise<void> {
  const { url, keys, seed, world, control, ui, defect } = mock;
  log(`serving ${world.models.length} models at ${url}`);
  if (defect !== undefined) {
    const { DEFECTS } = await import('../../../mock-server/defects/defects.ts');
    const { story, clauses = [] } = { ...DEFECTS.get(defect) };
    log(`with the defect ${defect}, which breaks ${clauses.join(', ')}: ${story}`);
  }
  writeLine(JSON.stringify({ url, keys, seed, pid: process.pid, control, ui, defect }));
}

function log(line: string): void {
  noteLine(`mock: ${line}`);
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Mock } from '../../../mock-server/start-mock.ts';
import { type Command, type ProcessGroup, shellCode, startGroup } from '../../caller/process-group.ts';
import { GRACE_MS, inheritedEnvironment } from '../../caller/start-command.ts';
import type { MockFlags } from '../options/command-tables.ts';
import { interruptible } from '../terminal/terminal.ts';

/** How long a command may take to end by itself after a signal. */
const ENDING_MS = 10_000;

/** The mock, as clients look for it. The key is the first of its world. */
function variablesOf(
  { url, control, keys }: Mock,
  { as = [], controlToken }: MockFlags,
): Readonly<Record<string, string>> {
  const [key = ''] = Object.values(keys);
  const token = controlToken ?? process.env['CHAT_CONTROL_TOKEN'];
  return {
    CHAT_BASE_URL: url,
    CHAT_API_KEY: key,
    CHAT_CONTROL_URL: control ?? '',
    ...(token !== undefined && { CHAT_CONTROL_TOKEN: token }),
    ...(as.includes('openai') && { OPENAI_BASE_URL: url, OPENAI_API_KEY: key }),
  };
}

/**
 * Runs a command beside a mock, with the streams of this process, and passes signals on to it. Returns its exit code, once
 * all that it started has ended.
 * @throws {FileError} If the command cannot be started.
 */
export async function runBeside(mock: Mock, command: Command, flags: MockFlags): Promise<number> {
  const env = { ...inheritedEnvironment(), ...variablesOf(mock, flags) };
  let group: ProcessGroup | undefined;
  const passOn = (name: NodeJS.Signals) => void group?.signal(name);
  return interruptible(passOn, async (signal) => {
    group = await startGroup(command, { env, stdio: 'inherit' });
    const { child, exited, end } = group;
    const isAsked = new Promise((resolve) => signal.addEventListener('abort', resolve));
    await Promise.race([exited, isAsked]);
    await Promise.race([exited, wait(ENDING_MS, undefined, { ref: false })]);
    await end(GRACE_MS);
    await exited;
    return shellCode(child);
  });
}

import { readdirSync, readFileSync } from 'node:fs';

/** A child that starts processes may leave some that are in no group of its own, and more may begin meanwhile. */
const ROUNDS = 5;

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/** Asks a process that leads a group, and all in the group, to end. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  // Windows has no groups to signal.
  kill(process.platform === 'win32' ? leader : -leader, signal);
}

/** Processes whose environment has this; none where the system does not show environments. */
function bearers(variable: string): readonly number[] {
  const pids = readable(() => readdirSync('/proc'), [])
    .map(Number)
    .filter(Number.isInteger);
  return pids.filter(
    (pid) =>
      pid !== process.pid &&
      readable(() => readFileSync(`/proc/${pid}/environ`, 'latin1'), '').includes(variable),
  );
}

function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Ends at once what is left of a group, and every process that has inherited this variable and its value. */
export function endTree(leader: number, variable: string): void {
  signalGroup(leader, 'SIGKILL');
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = bearers(variable);
    if (left.length === 0) return;
    for (const pid of left) kill(pid, 'SIGKILL');
  }
}

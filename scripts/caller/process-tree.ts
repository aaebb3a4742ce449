import { readdirSync, readFileSync } from 'node:fs';

/** A process may start others outside its group, and they may start more meanwhile. */
const ROUNDS = 5;

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  // Windows has no groups to signal.
  kill(process.platform === 'win32' ? leader : -leader, signal);
}

/** The processes with this in their environment; none where the system does not show environments. */
function inheritors(variable: string): readonly number[] {
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

/** Kills what is left of a group, and every process that inherited this `NAME=value`. */
export function endTree(leader: number, variable: string): void {
  signalGroup(leader, 'SIGKILL');
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = inheritors(variable);
    if (left.length === 0) return;
    for (const pid of left) kill(pid, 'SIGKILL');
  }
}

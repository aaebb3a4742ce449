import { spawnSync } from 'node:child_process';
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

/** Whether any process of a group still runs. Windows has no groups: only the leader counts. */
export function isGroupAlive(leader: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, 0);
  } catch {
    return false;
  }
  // In a container nobody may bury the orphans: a group of the dead is none.
  const states = pids().map((pid) => readable(() => stateIn(leader, pid), undefined));
  return states.length === 0 || states.some((state) => state !== undefined && state !== 'Z');
}

/** The state of a process, if it belongs to a group: `Z` for one that has ended. */
function stateIn(group: number, pid: number): string | undefined {
  // After the name of the program, which may contain anything.
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(pgrp) === group ? state : undefined;
}

/** Every process; none where the system does not show them. */
function pids(): readonly number[] {
  return readable(() => readdirSync('/proc'), [])
    .map(Number)
    .filter(Number.isInteger);
}

/** The processes with this in their environment; none where the system does not show environments. */
function inheritors(variable: string): readonly number[] {
  return pids().filter(
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
  // While the leader lives, Windows knows its descendants; nothing else tells them.
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(leader), '/T', '/F']);
  signalGroup(leader, 'SIGKILL');
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = inheritors(variable);
    if (left.length === 0) return;
    for (const pid of left) kill(pid, 'SIGKILL');
  }
}

import { spawnSync } from 'node:child_process';

/** Signals a process that was started detached, and all that it started in its group; 0 asks whether any still runs. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // Windows has no groups to signal.
    return process.kill(process.platform === 'win32' ? leader : -leader, signal);
  } catch {
    return false;
  }
}

/** Kills what is left of a group. */
export function endGroup(leader: number): void {
  // While the leader lives, Windows knows its descendants; nothing else tells them.
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(leader), '/T', '/F']);
  signalGroup(leader, 'SIGKILL');
}

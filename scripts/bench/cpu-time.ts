import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Clock ticks a second in the accounts of the kernel. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** The seconds of CPU, user and system, that a process has used so far, by the kernel's accounts. Linux alone. */
export function cpuSeconds(pid: number | undefined): number {
  // The name of the program stands in brackets, and may hold any character.
  const [, fields = ''] = /^.*\)(.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
  const [, , , , , , , , , , , , user, system] = fields.split(' ');
  return (Number(user) + Number(system)) / TICKS;
}

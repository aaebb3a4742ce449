import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ownModule } from '../terminal/own-package.ts';

export interface Guard {
  /** Ends the process group of this leader when this process is gone; undefined: nothing. */
  readonly watch: (leader: number | undefined) => void;
  readonly close: () => void;
}

const PROGRAM = fileURLToPath(ownModule('cli/service/end-with-runner'));

/** Starts the process that outlives this one by the time it takes to end a service. */
export function startGuard(): Guard {
  const child = spawn(process.execPath, [...process.execArgv, PROGRAM], {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  // Without a guard the service still ends with every run that can end it itself.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  return {
    watch: (leader) => void child.stdin.write(`${JSON.stringify(leader ?? null)}\n`),
    close: () => void child.stdin.end(),
  };
}

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ownModule } from '../terminal/own-package.ts';

/** A service that runs: the first process of its tree, and the `NAME=value` that all of its tree inherits. */
export interface ProcessTree {
  readonly leader: number;
  readonly mark: string;
}

export interface Guard {
  /** Ends this tree when this process is gone; undefined: nothing. */
  readonly watch: (tree: ProcessTree | undefined) => void;
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
    watch: (tree) => void child.stdin.write(`${JSON.stringify(tree ?? null)}\n`),
    close: () => void child.stdin.end(),
  };
}

import { EXIT } from './exit.ts';

/** Lets the user end a run: what is in flight first, everything the second time. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Gives the signals back. */
  readonly release: () => void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Takes over Ctrl-C until it is released; `onFirst` may say what happens now. */
export function interruptible(onFirst: () => void): Interruption {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
    onFirst();
  };
  for (const name of SIGNALS) process.on(name, interrupt);
  const release = (): void => {
    for (const name of SIGNALS) process.off(name, interrupt);
  };
  return { signal: controller.signal, release };
}

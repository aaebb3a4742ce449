import type { WhileWaiting } from '../model/stimulus.ts';

/** Work that can be done now. */
export interface Work {
  /** Whether nothing else may be under way meanwhile. */
  readonly isAlone: boolean;
  /** Never rejects. */
  readonly run: (whileWaiting: WhileWaiting) => Promise<void>;
}

/**
 * Does work as soon as a place is free. `next`: takes the most urgent work that can be done now; work that has to be alone
 * only given that nothing is under way. Where it takes none, it is asked again when something has ended.
 */
export function doAll(next: (isIdle: boolean) => Work | undefined, places: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let underWay = 0;
  let waiting = 0;
  let isAlone = false;
  const whileWaiting: WhileWaiting = async (sent) => {
    waiting += 1;
    fill();
    return sent.finally(() => (waiting -= 1));
  };
  const fill = (): void => {
    while (!isAlone && underWay - waiting < places) {
      const work = next(underWay === 0);
      if (work === undefined) break;
      underWay += 1;
      isAlone = work.isAlone;
      work.run(whileWaiting).then(ended, reject);
    }
    if (underWay === 0) resolve();
  };
  const ended = (): void => {
    underWay -= 1;
    isAlone = false;
    fill();
  };
  fill();
  return promise;
}

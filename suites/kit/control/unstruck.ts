import { inconclusive, type Ruling } from '../model/ruling.ts';

/** The ruling where the fault that was armed never struck, so that the answer says nothing; undefined where it did. */
export function untriggered(fault: string, fired: number): Ruling | undefined {
  return fired > 0 ? undefined : inconclusive(`${fault} was armed, and did not strike`);
}

import { hash } from 'node:crypto';

/** Whether what a subject draws, a number from 0 to 1, lies below a limit: the same subject always draws the same. */
export function drawsBelow(limit: number, subject: string): boolean {
  return Number.parseInt(hash('sha256', subject, 'hex').slice(0, 8), 16) < limit * 2 ** 32;
}

import type { Answer } from '../model/exchange.ts';

/** Whether the status is one of success; what was served, if anything, the body says. */
export function isSuccess({ status }: Pick<Answer, 'status'>): boolean {
  return status >= 200 && status < 300;
}

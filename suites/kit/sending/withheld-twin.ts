import type { Exchange } from '../model/exchange.ts';

/** Why an accepted twin that is a completion was not sent. */
export const COUNTERPART_WITHHELD = 'it is a completion, and this run asks for none';

/** Whether it is an accepted twin that was not sent because its run asks for no completions. */
export function isWithheldCounterpart({ outcome }: Exchange): boolean {
  return outcome.kind === 'not-sent' && outcome.reason === COUNTERPART_WITHHELD;
}

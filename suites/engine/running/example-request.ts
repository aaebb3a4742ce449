import { drawsOf } from '../inputs/draws.ts';
import type { Deployment } from '../model/deployment.ts';
import { COUNTERPART_WITHHELD, type Draft, type Exchange, isChargeable } from '../model/exchange.ts';
import type { Sender, Stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { sentRequest } from '../sending/sent-request.ts';
import { assumeAccepted } from './judge-trial.ts';

/**
 * The first request that a stimulus puts to the test, and the counterpart from which it differs in one place. Nothing is
 * sent: every request is taken for served.
 */
export async function exampleRequest(stimulus: Stimulus, info: TargetInfo) {
  const [draw] = drawsOf(stimulus, info, 1, 'few');
  if (draw === undefined) return undefined;
  const sent: Exchange[] = [];
  const outcome = { kind: 'not-sent', reason: COUNTERPART_WITHHELD } as const;
  const send = async (draft: Draft): Promise<Exchange> => {
    const { armed } = draft;
    const id = `${draw.id}/${sent.length}`;
    const asked = { id, request: sentRequest(draft), outcome, ...(armed !== undefined && { armed }) };
    const exchange = assumeAccepted(asked);
    sent.push(exchange);
    return exchange;
  };
  const sender: Sender = { send, provoke: send, sendCounterpart: send, isSecure: true, deployment: SILENT };
  const { exchanges, counterpart } = await draw.send(sender, info);
  // Before some chats the network is measured.
  const exchange = exchanges.find(({ request }) => isChargeable(request)) ?? exchanges[0] ?? sent[0];
  return { exchange, counterpart };
}

/** Arms nothing, and shows nothing. */
const SILENT: Deployment = {
  patienceMs: 0,
  arm: async () => {},
  triggerCount: async () => 1,
  disarm: async () => {},
  requests: async () => [],
  balance: async () => ({ available: 0, held: 0 }),
  release: async () => {},
  close: async () => {},
};

/** How many of its known inputs a small run sends, how many random ones beside them, and how many another seed replaces. */
export function inputsOf(stimulus: Stimulus, info: TargetInfo) {
  const { examples, arbitrary } = stimulus.inputs(info);
  const [one, other] = [1, 2].map((seed) => drawsOf(stimulus, info, seed, 'few').map(({ id }) => id));
  const known = Math.min(one?.length ?? 0, examples.length);
  return {
    known,
    of: examples.length,
    random: (one?.length ?? 0) - known,
    replaced: other?.filter((id) => one?.includes(id) === false).length ?? 0,
    isDrawn: arbitrary !== undefined,
  };
}

import type { Draft } from '../../../suites/kit/model/draft.ts';
import { type Exchange, PRIMARY } from '../../../suites/kit/model/exchange.ts';
import type { Runs } from '../../../suites/kit/model/run.ts';
import { drawsOf } from '../../../suites/kit/drawing/draw.ts';
import { askedOutput } from '../../../suites/kit/sending/sent-request.ts';
import type { Sender } from '../../../suites/kit/model/stimulus.ts';
import type { Survey } from '../../../suites/kit/model/target-info.ts';
import type { HeldOutFamily } from './held-out-family.ts';

/**
 * The things of a family that a run sends with this seed. Nothing is sent to find out: a draw drafts the same requests
 * whatever comes, all twins of a faithful service are served, and its checks judge each by what comes to it alone. So a
 * run whose service is wrong about one thing fails if it is among these, and else sees what it sees of a faithful one.
 */
export async function thingsSent(
  { checks, about }: HeldOutFamily,
  survey: Survey,
  seed: number,
  runs: Runs,
): Promise<ReadonlySet<string>> {
  const stimuli = new Set(checks.map(({ given }) => given));
  const draws = [...stimuli].flatMap((stimulus) => drawsOf(stimulus, survey, seed, runs));
  const drafts: Draft[] = [];
  for (const draw of draws) await draw.send(noting(drafts), survey);
  const sent = drafts.filter((draft) => isWithinCap(draft, survey));
  return new Set(sent.flatMap((draft) => about(draft) ?? []));
}

/** What asks for more output than the run may ask for never leaves. */
function isWithinCap({ body, needsOutput = 0 }: Draft, { outputTokens }: Survey): boolean {
  return askedOutput(body) <= Math.max(outputTokens, needsOutput);
}

/** Sends nothing, and notes what would be sent beside the accepted twins. */
function noting(drafts: Draft[]): Sender {
  const send = (draft: Draft): Promise<Exchange> => {
    drafts.push(draft);
    return unsent(draft);
  };
  return { send, provoke: send, control: unsent };
}

function unsent({ method, path }: Draft): Promise<Exchange> {
  return Promise.resolve({
    id: 'drafted',
    request: { method, path, headers: {}, credential: PRIMARY, body: undefined },
    outcome: { kind: 'not-sent', reason: 'it was only drafted' },
  });
}

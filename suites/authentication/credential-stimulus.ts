import * as fc from 'fast-check';
import type { Draft } from '../kit/draft.ts';
import { endpointDrafts } from '../kit/provoking/endpoint-drafts.ts';
import type { Credential } from '../kit/exchange.ts';
import { type Stimulus, stimulus } from '../kit/stimulus.ts';
import type { Survey } from '../kit/survey.ts';

/** A proper request with a credential that must not open anything. */
interface WrongKey {
  readonly draft: Draft;
  readonly credential: Credential;
}

export interface WrongCredentials {
  readonly name: string;
  readonly few: number;
  /** Most telling first: each is tried on every endpoint. */
  readonly credentials: readonly Credential[];
  readonly drawn?: fc.Arbitrary<Credential>;
  readonly lacks?: (survey: Survey) => string | undefined;
}

/** Each credential on each of the three endpoints; the accepted twin is the same request with the primary key. */
export function wrongCredentials({ name, few, credentials, drawn, lacks }: WrongCredentials): Stimulus {
  return stimulus({
    name,
    stage: 'free',
    few,
    ...(lacks !== undefined && { lacks }),
    inputs: (survey) => {
      const drafts = endpointDrafts(survey);
      const first = credentials.flatMap((credential) => drafts.map((draft) => ({ draft, credential })));
      return { first, ...(drawn !== undefined && { drawn: onAnyEndpoint(drafts, drawn) }) };
    },
    send: async ({ draft, credential }: WrongKey, sender) => ({
      control: await sender.control(draft),
      exchanges: [await sender.send({ ...draft, credential })],
    }),
  });
}

function onAnyEndpoint(
  drafts: readonly Draft[],
  credentials: fc.Arbitrary<Credential>,
): fc.Arbitrary<WrongKey> {
  return fc
    .tuple(fc.constantFrom(...drafts), credentials)
    .map(([draft, credential]) => ({ draft, credential }));
}

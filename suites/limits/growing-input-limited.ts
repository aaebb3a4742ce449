import {
  counterpartNotAccepted,
  refusedUnlikeCounterpart,
  requireErrorObject,
} from '../engine/inputs/judging/is-refused.ts';
import { isRefusedChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { check, type Judged, type Judgement } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { inconclusive, notExercised, type Ruling, shownBy } from '../engine/model/ruling.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { dispositionOf } from '../engine/reading/errors/disposition.ts';
import { growingInputs, type GrowingTrial } from './growing-inputs.ts';
import { type CountedInput, cutInput, isRefusedInput } from './served-inputs.ts';
import { isTokenLimitError, knownContexts } from './token-limits.ts';

const WAY_OUT = 'name the context size in a profile ("models": { "<id>": { "contextTokens": … } })';

/** A limit that was not met is no violation: it may lie higher. */
const isLimitedWhereMet: Judgement<GrowingTrial> = (trial, info) => {
  const [last] = trial.exchanges;
  if (dispositionOf(last, info) !== 'served') {
    return isTokenLimitError('the input is too large')(trial, info);
  }
  const cut = cutInput(trial.served);
  if (cut !== undefined) return inputCut(cut);
  return notExercised('an input of 4 MiB was served: if there is a limit, it is higher', WAY_OUT);
};

function inputCut([before, after]: readonly [CountedInput, CountedInput]): Ruling {
  const actual = `${before.tokens} input tokens for ${before.bytes} bytes of text, and ${after.tokens} for ${after.bytes}`;
  const expected = 'an error once the input is too large, or input tokens that grow with it';
  return { kind: 'violated', finding: { code: 'input-cut', expected, actual } };
}

/** A refusal that does not speak of the context may have met another limit, such as that of the body. */
const isRefusedTogether: Judgement<GrowingTrial> = ({ exchanges }, info) => {
  const [last, alone, together] = exchanges.filter(({ request }) => !isRefusedChat(request, info));
  if (knownContexts(info).length > 0)
    return notExercised('the context size is known: see input-and-output-together');
  if (last === undefined || !isRefusedInput(last, info))
    return notExercised('no input was refused as too large', WAY_OUT);
  if (alone === undefined || together === undefined)
    return notExercised('what was served does not show how many tokens were too many', WAY_OUT);
  if (counterpartNotAccepted(alone, info) !== undefined)
    return notExercised('so much output is refused without the input too', WAY_OUT);
  const trial: Judged = { exchanges: [together], counterpart: alone };
  const ruling = refusedUnlikeCounterpart(
    trial,
    info,
    'input and requested output together have more tokens than an input that was refused alone',
  );
  if (ruling.kind !== 'violated') return requireErrorObject(ruling, trial, info);
  if (!namesContext(last)) return inconclusive(`the input may have a limit of its own: ${WAY_OUT}`);
  return shownBy(2, ruling);
};

function namesContext(refused: Exchange): boolean {
  return /context/i.test(Buffer.from(answerOf(refused).body).toString('utf8'));
}

export const growingInputLimited = check({
  id: 'growing-input-limited',
  clauses: ['ERR-4'],
  title:
    'answers inputs that grow up to 4 MiB with an error once they are too large, where no small context is known',
  decides: 'refuses too large an input',
  given: growingInputs,
  holds: isLimitedWhereMet,
});

export const growingInputAndOutputTogether = check({
  id: 'growing-input-and-output-together',
  clauses: ['LIM-1'],
  title:
    'refuses an input and a requested output that are served separately, where together they are more than an input it refused',
  given: growingInputs,
  holds: isRefusedTogether,
});

import type { Judgement } from '../kit/model/check.ts';
import { untriggered } from '../kit/control/unstruck.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import { counterpartNotAccepted } from '../kit/judging/is-refused.ts';
import { answerOf } from '../kit/reading/answers.ts';
import { describeAnswer, dispositionOf, isEventStream } from '../kit/reading/errors/disposition.ts';
import { readError } from '../kit/reading/errors/read-error.ts';
import { readJson } from '../kit/reading/json.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../kit/model/ruling.ts';
import type { Survey } from '../kit/model/target-info.ts';
import type { ArmedRefusalTrial } from './armed-refusal-stimulus.ts';

/**
 * Judges a chat for which a refusal was armed, beside its twin for which none was: it gets an error, and where JSON
 * came, an error object. Where a gateway may speak in place of the service, an error need not be JSON (ERR-7).
 */
export const isToldAsError: Judgement<ArmedRefusalTrial> = (trial, survey) => {
  const { fault, fired, exchanges, control } = trial;
  const [exchange] = exchanges;
  if (exchange === undefined || control === undefined) return notExercised('nothing was sent');
  return (
    untriggered(fault, fired) ?? counterpartNotAccepted(control, survey) ?? toldAsError(exchange, survey)
  );
};

function toldAsError(exchange: Exchange, survey: Survey): Ruling {
  const came = describeAnswer(exchange, survey);
  const disposition = dispositionOf(exchange, survey);
  if (disposition === 'served') return violated('served', 'an error', `served: ${came}`);
  if (disposition === 'unrecognised')
    return inconclusive(`neither a completion nor an error was recognised: ${came}`);
  const answer = answerOf(exchange);
  if (disposition === 'refused' && isEventStream(answer))
    return notExercised(`it was told inside an event stream, see STR-4: ${came}`);
  const isJson = readJson(answer).kind === 'json';
  if (isJson && readError(answer, survey) === undefined)
    return violated('no-error-object', 'an error object', `JSON without one: ${came}`);
  if (!isJson && disposition === 'refused')
    return violated('no-error-object', 'an error object', `no JSON: ${came}`);
  return HOLDS;
}

import { answerOf, endpointOf, sentChat } from '../kit/reading/answers.ts';
import { describeAnswer, dispositionOf, isEventStream } from '../kit/reading/errors/disposition.ts';
import type { Invariant } from '../kit/model/invariant.ts';
import { HOLDS, violated } from '../kit/model/ruling.ts';

/** Whatever a chat was refused for. That it is refused at all is the business of the clause that it breaks. */
export const noRefusalInStream: Invariant = {
  id: 'no-refusal-in-stream',
  clauses: ['STR-4'],
  title: 'tells no refusal of a chat with stream true inside an event stream',
  because: 'only a validated result is emitted as events, and a refused request has none',
  judge: (survey) => (exchange) => {
    if (endpointOf(exchange.request) !== 'chat' || dispositionOf(exchange, survey) !== 'refused')
      return undefined;
    if (sentChat(exchange.request)?.['stream'] !== true) return undefined;
    if (!isEventStream(answerOf(exchange))) return HOLDS;
    const came = `an event stream: ${describeAnswer(exchange, survey)}`;
    return violated('streamed', 'an error object', came, 'content-type');
  },
};

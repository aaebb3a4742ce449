import { check } from '../kit/model/check.ts';
import { valueAt } from '../kit/reading/json.ts';
import { readCompletion } from '../kit/reading/completions/read-completion.ts';
import { HOLDS, notExercised, violated } from '../kit/model/ruling.ts';
import { clientCompletion } from './client-stimuli.ts';
import { ofServedClient } from './judge-client.ts';

export const clientCompletes = check({
  id: 'client-completes',
  clauses: ['VER-2'],
  title: 'gives the tested client a completion from which it reads the text',
  given: clientCompletion,
  holds: ofServedClient((seen, answer, survey) => {
    const text = readCompletion(answer, survey)?.choices?.[0]?.text;
    if (text === undefined) return notExercised('the response holds no text: see RES-2');
    const read = valueAt(seen, '/choices/0/message/content');
    return read === text
      ? HOLDS
      : violated('other-text', JSON.stringify(text), JSON.stringify(read) ?? 'nothing');
  }),
});

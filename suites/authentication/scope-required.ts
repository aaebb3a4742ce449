import { check, type Judgement } from '../kit/check.ts';
import { observedRefusal } from '../kit/judging/observed-refusal.ts';
import { refusedUnlikeControl } from '../kit/judging/is-refused.ts';
import { notExercised } from '../kit/ruling.ts';
import { wrongCredentials } from './credential-stimulus.ts';

const unscopedKey = wrongCredentials({
  name: 'unscoped-key',
  few: 4,
  credentials: [{ kind: 'key', name: 'unscoped' }],
  lacks: ({ keys }) =>
    keys.has('unscoped') ? undefined : 'no key without the inference scope: set CHAT_UNSCOPED_API_KEY',
});

export const scopeRequired = check({
  id: 'scope-required',
  clauses: ['AUTH-2'],
  title: 'refuses a key without the inference scope, on every endpoint',
  given: unscopedKey,
  holds: (trial, survey) => refusedUnlikeControl(trial, survey, 'the key lacks the inference scope'),
});

const seesMissingScope: Judgement = ({ exchanges: [exchange] }, survey) =>
  exchange === undefined
    ? notExercised('nothing was sent')
    : observedRefusal('missing_scope', exchange, survey);

export const missingScopeObserved = check({
  id: 'missing-scope-error',
  clauses: ['AUTH-4'],
  title: 'answers a key without the inference scope with some status and code',
  given: unscopedKey,
  holds: seesMissingScope,
});

import type { ArmedRule } from '../rules/rule-plan.ts';
import { type Subject, textIn, textOf } from '../rules/subject.ts';
import type { AnswerRule } from './compile-answers.ts';

/** Characters of a recorded text that a refusal shows. */
const SHOWN = 60;
/** Words of a conversation that are compared. */
const MOST_WORDS = 2000;

/** What decides an answer. */
const FIELDS = ['model', 'messages', 'temperature', 'max_tokens'] as const;

/** One sentence without its full stop: which recording comes nearest to a chat, and in what it differs. */
export function nearestRecording(rules: readonly ArmedRule<AnswerRule>[], subject: Subject): string {
  const asked = wordsOf(textIn(subject, 'all'));
  const sent = { model: subject.model, ...subject.sent };
  const recordings = rules.flatMap(({ id, rule: { words } }) => {
    const { request, model = sent.model } = words.match ?? {};
    if (request === undefined) return [];
    const likeness = alike(asked, wordsOf(request.messages.map(textOf).join('\n')));
    return [{ id, recorded: { ...request, model }, likeness: likeness + (model === sent.model ? 0.1 : 0) }];
  });
  const [nearest] = recordings.toSorted((one, other) => other.likeness - one.likeness);
  if (nearest === undefined) return 'Nothing is recorded';
  const { id, recorded } = nearest;
  const text = recorded.messages.slice(-1).map(textOf).join('');
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text;
  const differences = FIELDS.filter((name) => JSON.stringify(recorded[name]) !== JSON.stringify(sent[name]))
    .map((name) => (name === 'messages' ? name : `${name} (${recorded[name] ?? 'none'})`))
    .join(', ');
  return `The nearest recording is ${id}, ${JSON.stringify(shown)}, which differs in ${differences || 'the form of its messages'}`;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().split(/\s+/, MOST_WORDS));
}

/** The share of words that two texts have in common, from 0 to 1. */
function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((word) => other.has(word)).length;
  return common / (one.size + other.size - common);
}

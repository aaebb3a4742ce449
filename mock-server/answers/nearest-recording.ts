import type { ArmedRule } from '../rules/rule-plan.ts';
import { type Subject, textIn, textOf } from '../rules/subject.ts';
import type { AnswerRule } from './compile-answers.ts';

/** Characters of a recorded text that a refusal shows. */
const SHOWN = 60;
/** Words of a conversation that are compared. */
const MOST_WORDS = 2000;

/** One sentence without its full stop: which recording comes nearest to a chat, and in what it differs. */
export function nearestRecording(rules: readonly ArmedRule<AnswerRule>[], subject: Subject): string {
  const asked = wordsOf(textIn(subject, 'all'));
  let nearest: { readonly rule: ArmedRule<AnswerRule>; readonly likeness: number } | undefined;
  for (const rule of rules) {
    const { request, model } = rule.rule.words.match ?? {};
    if (request === undefined) continue;
    const likeness = alike(asked, wordsOf(request.messages.map(textOf).join('\n')));
    const whole = likeness + (model === subject.model ? 0.1 : 0);
    if (nearest === undefined || whole > nearest.likeness) nearest = { rule, likeness: whole };
  }
  return nearest === undefined ? 'Nothing is recorded' : describe(nearest.rule, subject);
}

function describe({ id, rule: { words } }: ArmedRule<AnswerRule>, { model, sent }: Subject): string {
  const { request, model: recorded } = words.match ?? {};
  const differences = [
    ...(recorded === undefined || recorded === model ? [] : [`model (${recorded})`]),
    ...(JSON.stringify(request?.messages) === JSON.stringify(sent?.messages) ? [] : ['messages']),
    ...(request?.temperature === sent?.temperature
      ? []
      : [`temperature (${request?.temperature ?? 'none'})`]),
    ...(request?.max_tokens === sent?.max_tokens ? [] : [`max_tokens (${request?.max_tokens ?? 'none'})`]),
  ];
  const [last] = request?.messages.slice(-1) ?? [];
  const text = last === undefined ? '' : textOf(last);
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text;
  const where = differences.length === 0 ? 'the form of its messages' : differences.join(', ');
  return `The nearest recording is ${id}, ${JSON.stringify(shown)}, which differs in ${where}`;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().split(/\s+/, MOST_WORDS));
}

/** The share of words that two texts have in common, from 0 to 1. */
function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((word) => other.has(word)).length;
  return common / (one.size + other.size - common);
}

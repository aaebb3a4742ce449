import { InputError } from '../input/input-error.ts';
import { compileMatch, type Found, type WorldNames } from '../rules/match.ts';
import { compileEach } from '../rules/read-rule.ts';
import type { Rule } from '../rules/rule-plan.ts';
import type { Subject } from '../rules/subject.ts';
import { type AnswerWords, readAnswer } from './answer-schema.ts';
import { fillTemplate } from './template.ts';

/** A rule as a line, as an object, or as JSON gave it. */
export type GivenAnswer = string | AnswerWords | object;

/** What is said instead of the model's own answer, to one request. A repeat of its Idempotency-Key gets it again. */
export interface Chosen {
  /** Whole. Absent: the model's own words. */
  readonly text?: string;
  /** The length of the model's own words. Absent: as they come. */
  readonly tokens?: number;
  readonly finishReason?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Milliseconds that the completion takes. Absent: as the world says. */
  readonly latency?: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Whether it is sent as it is, even if that breaks the specification. */
  readonly isUnchecked: boolean;
}

/** One rule of a chosen answer. */
export interface AnswerRule extends Rule {
  readonly words: AnswerWords;
  /** What is chosen for the request that the rule answers as its `turn`th, from 0. */
  readonly choose: (subject: Subject, found: Found, turn: number) => Chosen;
}

/** Compiles rules for a world, or one. Throws an InputError; in a list, its path begins with the index of the rule. */
export function compileAnswers(given: unknown, world: WorldNames): readonly AnswerRule[] {
  return compileEach(given, world, compileAnswer);
}

function compileAnswer(given: unknown): AnswerRule {
  const words = readAnswer(given);
  if (words.file !== undefined)
    throw new InputError(
      ['file'],
      'files are read only for --answer and for world and scenario files; send the text itself',
    );
  return {
    words,
    meets: compileMatch({ endpoint: 'chat', ...words.match }),
    choose: compileChoice(words),
    ...(words.unchecked === true && { notice: 'is unchecked: it may break the specification' }),
  };
}

function compileChoice(words: AnswerWords): AnswerRule['choose'] {
  const textOf = compileText(words);
  const { tokens, finish, usage, latency, headers, unchecked } = words;
  const rest: Chosen = {
    ...(tokens !== undefined && { tokens }),
    ...(finish !== undefined && { finishReason: finish }),
    ...(usage?.input !== undefined && { inputTokens: usage.input }),
    ...(usage?.output !== undefined && { outputTokens: usage.output }),
    ...(latency !== undefined && { latency }),
    headers: Object.entries(headers ?? {}).flat(),
    isUnchecked: unchecked === true,
  };
  return (...request) => {
    const text = textOf?.(...request);
    return text === undefined ? rest : { ...rest, text };
  };
}

function compileText({
  text,
  template,
}: AnswerWords): ((subject: Subject, found: Found, turn: number) => string) | undefined {
  if (template !== undefined) return (subject, found, turn) => fillTemplate(template, subject, found, turn);
  if (text === undefined) return undefined;
  const texts = [text].flat();
  return (_subject, _found, turn) => texts[turn % texts.length] ?? '';
}

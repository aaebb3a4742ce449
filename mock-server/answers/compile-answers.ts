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
export interface Chosen extends Pick<
  AnswerWords,
  'tokens' | 'finish' | 'usage' | 'latency' | 'headers' | 'unchecked'
> {
  /** Whole. Absent: the model's own words. */
  readonly text?: string;
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

function compileChoice({ text, template, ...words }: AnswerWords): AnswerRule['choose'] {
  const texts = [text ?? []].flat();
  return (subject, found, turn) => {
    const said =
      template === undefined ? texts[turn % texts.length] : fillTemplate(template, subject, found, turn);
    return said === undefined ? words : { ...words, text: said };
  };
}

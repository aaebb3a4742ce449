import { hash } from 'node:crypto';
import type { Stimulus, DrawnInput, RememberedFailure } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { type Draw, drawFrom, examplesOf, stepsTo } from './draws.ts';

/** A longer text is remembered by its hash: its input is found again if it is an example or drawn again. */
const LONGEST_TEXT = 16_000;

/** Beyond so many inputs made for a stimulus, none is made again: a report may name any. */
const MOST_STEPS = 10_000;

/** The input of a draw, as the journal and the report keep it. Its text is made when it is read: without a journal, rarely. */
export function inputOf({ stimulus: { name }, text, origin }: Draw): DrawnInput {
  return {
    stimulus: name,
    get text() {
      const whole = text();
      return whole.length > LONGEST_TEXT ? `sha256:${hash('sha256', whole, 'hex')}` : whole;
    },
    origin,
  };
}

/**
 * The draws of a stimulus, and before them those whose inputs failed in an earlier run: taken from `draws` or from the
 * other examples, or else made as they were made then. What a report says is sent only where the stimulus makes the
 * same: an input that it does not make is left out.
 */
export function rememberedFirst(
  draws: readonly Draw[],
  stimulus: Stimulus,
  info: TargetInfo,
  remembered: readonly RememberedFailure[] = [],
): readonly Draw[] {
  const ofStimulus = remembered.flatMap(({ input }) => (input?.stimulus === stimulus.name ? [input] : []));
  const inputs = [...new Map(ofStimulus.map((input) => [input.text, input])).values()];
  if (inputs.length === 0) return draws;
  const examples = examplesOf(stimulus, stimulus.inputs(info).examples);
  const known = new Map([...examples, ...draws].map((draw) => [inputOf(draw).text, draw]));
  let left = MOST_STEPS;
  const again = inputs.flatMap(({ text, origin = '' }, i) => {
    left -= stepsTo(origin);
    const made = left < 0 ? undefined : drawFrom(origin, `${stimulus.name}/again-${i}`, stimulus, info);
    const draw = known.get(text) ?? made;
    // Another target lists other models, of which the same draw makes another input.
    return draw !== undefined && inputOf(draw).text === text
      ? [{ ...draw, isRemembered: true } as const]
      : [];
  });
  const ids = new Set(again.map(({ id }) => id));
  return [...again, ...draws.filter(({ id }) => !ids.has(id))];
}

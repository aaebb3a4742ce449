import { hash } from 'node:crypto';
import type { DrawnInput, RememberedFailure } from '../model/remembered.ts';
import type { Stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { type Draw, drawOf, examplesOf } from './draws.ts';

/** A longer text is remembered by its hash: its input is found again if it is an example or drawn again. */
const LONGEST_TEXT = 16_000;

/** The input of a draw, as the journal and the report keep it. */
export function inputOf({ stimulus: { name }, text }: Draw): DrawnInput {
  const whole = text();
  return {
    stimulus: name,
    text: whole.length > LONGEST_TEXT ? `sha256:${hash('sha256', whole, 'hex')}` : whole,
  };
}

/**
 * The draws of a stimulus, and before them those whose inputs failed in an earlier run: taken from `draws` or from the
 * other examples, or else made from their texts. An input that this release cannot make is left out.
 */
export function rememberedFirst(
  draws: readonly Draw[],
  stimulus: Stimulus,
  info: TargetInfo,
  remembered: readonly RememberedFailure[] = [],
): readonly Draw[] {
  const texts = textsFor(stimulus, remembered);
  if (texts.length === 0) return draws;
  const known = [...draws, ...examplesOf(stimulus, stimulus.inputs(info).examples)];
  const again = texts.flatMap((text, i) => {
    const draw = known.find((each) => inputOf(each).text === text) ?? madeFrom(text, i, stimulus, info);
    return draw === undefined ? [] : [{ ...draw, isRemembered: true } as const];
  });
  const ids = new Set(again.map(({ id }) => id));
  return [...again, ...draws.filter(({ id }) => !ids.has(id))];
}

function textsFor({ name }: Stimulus, remembered: readonly RememberedFailure[]): readonly string[] {
  const inputs = remembered.flatMap(({ input }) => input ?? []);
  return [...new Set(inputs.filter((each) => each.stimulus === name).map(({ text }) => text))];
}

/** The texts of most inputs are JSON. */
function madeFrom(text: string, nth: number, stimulus: Stimulus, info: TargetInfo): Draw | undefined {
  try {
    const input: unknown = JSON.parse(text);
    const draw = drawOf({ stimulus, id: `${stimulus.name}/again-${nth}` }, input);
    // What another release has drawn may not be an input of this one.
    draw.cost(info);
    return draw.text() === text ? { ...draw, send: tolerant(draw.send) } : undefined;
  } catch {
    return undefined;
  }
}

/** What cannot be sent was not sent: that is no failure of a check. */
function tolerant(send: Draw['send']): Draw['send'] {
  return async (sender, info) => send(sender, info).catch(() => ({ exchanges: [] }));
}

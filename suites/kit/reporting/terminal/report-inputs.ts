import type { CheckResult, Summary } from '../../model/summary.ts';

/** `18 of 277`; empty where a check tried all of its inputs. */
export function triedOf({ inputs }: CheckResult): string {
  return inputs === undefined ? '' : `${inputs.tried} of ${inputs.of}`;
}

/** One line on how much was left to other seeds; none where every check tried all of its inputs. */
export function inputLines({ checks, cutShort }: Pick<Summary, 'checks' | 'cutShort'>): readonly string[] {
  const parts = checks.filter(({ inputs }) => inputs !== undefined);
  const [most] = parts.toSorted((one, other) => untried(other) - untried(one));
  if (most === undefined) return [];
  const many = parts.length === 1 ? '1 check' : `${parts.length} checks`;
  const own = parts.length === 1 ? 'its' : 'their';
  const others = cutShort.length === 0 ? ': another seed tries others' : '';
  return [`${many} tried a part of ${own} inputs, ${most.id} ${triedOf(most)}${others}`];
}

function untried({ inputs }: CheckResult): number {
  return inputs === undefined ? 0 : inputs.of - inputs.tried;
}

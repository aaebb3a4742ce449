/** A line of the table. */
export interface Row extends Partial<Compared> {
  readonly what: string;
  readonly ours: number;
  readonly goal: string;
}

/** Ours beside the bare program: medians of some rounds, and the median of the ratios of each round. */
interface Compared {
  readonly ours: number;
  readonly bare: number;
  readonly ratio: number;
}

/** Measures what belongs together. It need not stop the processes that it starts. */
export type Bench = () => Promise<readonly Row[]>;

type Figures<Name extends string> = Readonly<Record<Name, number>>;

/** Measures both in turn, in an odd number of rounds: what else the machine does meets both. */
export async function compare<Name extends string>(
  rounds: number,
  ours: () => Promise<Figures<Name>>,
  bare: () => Promise<Figures<Name>>,
): Promise<(name: Name) => Compared> {
  const all: { readonly ours: Figures<Name>; readonly bare: Figures<Name> }[] = [];
  while (all.length < rounds) all.push({ ours: await ours(), bare: await bare() });
  return (name) => ({
    ours: median(all.map((round) => round.ours[name])),
    bare: median(all.map((round) => round.bare[name])),
    ratio: median(all.map((round) => round.ours[name] / round.bare[name])),
  });
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

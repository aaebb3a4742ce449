/** A file is left out after so many rounds in a row in which it changed while the service was checked. */
const ROUNDS = 2;

/** When a file changed: in the round of this number, just after a round, or later. */
export type Moment = number | 'just after' | 'idle';

/** Which of the changed files start a round, and which do so no more. */
export interface Sifted {
  readonly begin: readonly string[];
  readonly leftOut: readonly string[];
}

/**
 * Tells the files that the service writes, such as its database, from those that the user saves: they change in every
 * round, and only then. A file that was ever saved while nothing was checked is the user's.
 */
export class ServiceFiles {
  readonly #ofUser = new Set<string>();
  readonly #leftOut = new Set<string>();
  /** Of the other files: the latest round in which each changed, and how many before it in a row, itself included. */
  readonly #changes = new Map<string, { readonly round: number; readonly inRow: number }>();

  sift(files: readonly string[], moment: Moment): Sifted {
    const heard = files.filter((file) => !this.#leftOut.has(file));
    for (const file of heard) {
      if (moment === 'idle') this.#ofUser.add(file);
      if (typeof moment !== 'number' || this.#ofUser.has(file)) continue;
      if (this.#roundsInRow(file, moment) > ROUNDS) this.#leftOut.add(file);
    }
    return {
      begin: heard.filter((file) => !this.#leftOut.has(file)),
      leftOut: heard.filter((file) => this.#leftOut.has(file)),
    };
  }

  #roundsInRow(file: string, round: number): number {
    const before = this.#changes.get(file);
    if (before?.round === round) return before.inRow;
    const inRow = before?.round === round - 1 ? before.inRow + 1 : 1;
    this.#changes.set(file, { round, inRow });
    return inRow;
  }
}

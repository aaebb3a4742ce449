import { closeSync, existsSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import type { AnswerWords } from '../../../mock-server/answers/answer-schema.ts';
import { answerLines, END_OF_ANSWERS } from '../../../mock-server/world/answer-lines.ts';
import type { WorldFile } from '../../../mock-server/world/world-schema.ts';
import { errorCode } from '../../../suites/kit/files/read-json-file.ts';
import { writeWhole } from '../terminal/write-file.ts';

/** A world file whose answers are appended to: each new one takes the place of the end, which comes after it. */
export class RecordingFile {
  readonly #file: string;
  readonly #rest: Omit<WorldFile, 'answers'>;
  readonly #answers: AnswerWords[];
  /** How many answers are in the file. */
  #kept: number;
  /** Where the list of answers ends; undefined: nothing was written yet. */
  #end: number | undefined;

  constructor(file: string, { answers = [], ...rest }: WorldFile) {
    this.#file = file;
    this.#rest = rest;
    this.#answers = [...answers];
    this.#kept = existsSync(file) ? answers.length : 0;
  }

  get count(): number {
    return this.#answers.length;
  }

  /** Paid answers that are in memory alone. */
  get unkept(): number {
    return this.#answers.length - this.#kept;
  }

  /** Writes an answer, and those that could not be written before it. Returns the code of the error that kept it from that. */
  add(answer: AnswerWords): string | undefined {
    this.#answers.push(answer);
    return this.keep();
  }

  /** Tries again what could not be written. */
  keep(): string | undefined {
    if (this.unkept === 0) return undefined;
    try {
      if (this.#end === undefined || this.#isChanged(this.#end)) this.#writeAll();
      else this.#append(this.#end, this.#answers.slice(this.#kept));
      this.#kept = this.#answers.length;
      return undefined;
    } catch (error) {
      return errorCode(error);
    }
  }

  /** Whether somebody else has written or removed the file. */
  #isChanged(end: number): boolean {
    return statSync(this.#file, { throwIfNoEntry: false })?.size !== end + END_OF_ANSWERS.length;
  }

  #writeAll(): void {
    const world = JSON.stringify({ ...this.#rest, answers: [] }, undefined, 2);
    const lines = answerLines(this.#answers);
    writeWhole(this.#file, world.slice(0, -']\n}'.length) + lines + END_OF_ANSWERS);
    this.#end = statSync(this.#file).size - END_OF_ANSWERS.length;
  }

  /** Where it fails, the file is as it was. */
  #append(end: number, answers: readonly AnswerWords[]): void {
    const added = Buffer.from(`,${answerLines(answers)}`);
    const fd = openSync(this.#file, 'r+');
    try {
      writeAt(fd, Buffer.concat([added, Buffer.from(END_OF_ANSWERS)]), end);
      this.#end = end + added.length;
    } catch (error) {
      ftruncateSync(fd, end);
      writeAt(fd, Buffer.from(END_OF_ANSWERS), end);
      throw error;
    } finally {
      closeSync(fd);
    }
  }
}

function writeAt(fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}

import { closeSync, existsSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import type { AnswerWords } from '../../../mock-server/answers/answer-schema.ts';
import type { WorldFile } from '../../../mock-server/world/world-schema.ts';
import { errorCode } from '../../../suites/kit/files/read-json-file.ts';
import { writeWhole } from '../terminal/write-file.ts';

/** What follows the answers: each new answer takes its place, and it comes after that. */
const END = '\n}\n';
const END_OF_LIST = `\n  ]${END}`;

/** A world file whose answers are appended to: whenever one is written, the whole file is JSON. */
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
    return statSync(this.#file, { throwIfNoEntry: false })?.size !== end + END_OF_LIST.length;
  }

  #writeAll(): void {
    writeWhole(this.#file, `${JSON.stringify({ ...this.#rest, answers: this.#answers }, undefined, 2)}\n`);
    this.#end = statSync(this.#file).size - END_OF_LIST.length;
  }

  /** Where it fails, the file is as it was. */
  #append(end: number, answers: readonly AnswerWords[]): void {
    const list = JSON.stringify(answers, undefined, 2).replaceAll('\n', '\n  ');
    const added = Buffer.from(`,${list.slice(1, -'\n  ]'.length)}`);
    const fd = openSync(this.#file, 'r+');
    try {
      writeAt(fd, Buffer.concat([added, Buffer.from(END_OF_LIST)]), end);
      this.#end = end + added.length;
    } catch (error) {
      ftruncateSync(fd, end);
      writeAt(fd, Buffer.from(END_OF_LIST), end);
      throw error;
    } finally {
      closeSync(fd);
    }
  }
}

function writeAt(fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}

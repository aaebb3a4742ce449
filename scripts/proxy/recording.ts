import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { AnswerWords } from '../../mock-server/answers/answer-schema.ts';
import { digestOf } from '../../mock-server/answers/question.ts';
import type { WorldFile } from '../../mock-server/world/world-schema.ts';
import { errorCode } from '../../suites/kit/files/read-json-file.ts';
import type { Exchange } from '../../suites/kit/model/exchange.ts';
import type { TargetInfo } from '../../suites/kit/model/target.ts';
import { isCompletion } from './proxy-summary.ts';
import {
  askedChat,
  contextOf,
  identityOf,
  nameOf,
  recordedAnswer,
  UNKNOWN_CONTEXT,
} from './recorded-answer.ts';
import type { RelayedExchange } from './relayed-exchange.ts';

/** Its owner alone reads what was asked. */
const MODE = 0o600;

/** What a recording says before its answers: it refuses what it lacks, and limits nothing. */
const HEAD: WorldFile = {
  unanswered: 'refuse',
  choices: { request: { maxTokensDefault: UNKNOWN_CONTEXT } },
};

type Model = NonNullable<WorldFile['models']>[number];

/**
 * The answers of a service that were paid for, in a world for `mock --world`: a file of parts, one a line, to which lines are
 * only ever added. So neither a second recorder, nor an editor, nor a kill loses what is in it.
 */
export class Recording {
  readonly file: string;
  readonly #log: (line: string) => void;
  readonly #known = new Set<string>();
  readonly #models = new Map<string, Model>();
  readonly #answers: AnswerWords[];
  readonly #settings: WorldFile;
  /** Lines that could not be written yet. */
  #unwritten: string[] = [];
  /** Answers that no rule can say, or that are lost. */
  #unsaid = 0;

  /** `world`: what the file holds already; `log` hears what becomes of each answer. */
  constructor(file: string, world: WorldFile | undefined, log: (line: string) => void) {
    const { models = [], answers = [], ...settings } = world ?? HEAD;
    this.file = file;
    this.#log = log;
    this.#settings = settings;
    this.#answers = [...answers];
    for (const model of models) this.#models.set(model.id, model);
    for (const { match } of answers) {
      const { model = '', request } = match ?? {};
      if (request !== undefined) this.#known.add(`${model}\n${request.digest ?? digestOf(request)}`);
    }
  }

  /** All that was read and added. */
  get world(): WorldFile {
    const models = [...this.#models.values()];
    return { ...this.#settings, ...(models.length > 0 && { models }), answers: this.#answers };
  }

  /** How many answers it has. */
  get count(): number {
    return this.#answers.length;
  }

  /** Whether it has the answer to the chat with this body. */
  has(body: Uint8Array): boolean {
    const asked = askedChat(body);
    return asked !== undefined && this.#known.has(identityOf(asked));
  }

  /** Keeps the answer of a chat that was paid for: in the file, or else in memory. `exchange`: the same, without keys. */
  note(relayed: RelayedExchange, exchange: Exchange, info: TargetInfo): void {
    if (!isCompletion(exchange)) return;
    const asked = askedChat(relayed.body.read().body);
    if (asked !== undefined && this.#known.has(identityOf(asked))) return;
    const recorded = recordedAnswer(relayed, exchange, info);
    if (recorded === 'unpaid') return;
    if ('why' in recorded || asked === undefined)
      return this.lost(nameOf(exchange), 'why' in recorded ? recorded.why : 'it is no chat');
    this.#known.add(identityOf(asked));
    this.#add(recorded.words, modelOf(asked.model, info));
    const problem = this.#write();
    this.#log(
      problem === undefined
        ? `record: answer ${this.count} is in ${this.file}`
        : `record: cannot write ${this.file} (${problem}): the answer to ${nameOf(exchange)} is in memory only`,
    );
  }

  /** Of a chat that may have been paid for, there is no answer to keep. */
  lost(name: string, why: string): void {
    this.#unsaid += 1;
    this.#log(`record: the answer to ${name} is not in ${this.file}: ${why}`);
  }

  /** How many answers that may have been paid for are in no file; tries once more to write them. */
  unkept(): number {
    this.#write();
    return this.#unsaid + this.#unwritten.length;
  }

  #add(words: AnswerWords, model: Model): void {
    const part = { ...(this.#models.has(model.id) ? {} : { models: [model] }), answers: [words] };
    if (!this.#models.has(model.id)) this.#models.set(model.id, model);
    this.#answers.push(words);
    this.#unwritten.push(JSON.stringify(part));
  }

  /** Returns the code of the error that kept it from that. */
  #write(): string | undefined {
    if (this.#unwritten.length === 0) return undefined;
    try {
      const end = endOf(this.file);
      const head = end === 'nothing' ? [JSON.stringify(HEAD)] : [];
      // What was left unfinished stays a line of its own.
      const lines = [...(end === 'unfinished' ? [''] : head), ...this.#unwritten, ''];
      appendFileSync(this.file, lines.join('\n'));
      this.#unwritten = [];
      return undefined;
    } catch (error) {
      return errorCode(error);
    }
  }
}

function modelOf(id: string, info: TargetInfo): Model {
  return { id, contextTokens: contextOf(id, info), price: { input: 1, output: 1 }, vision: true };
}

/** Whether the file has nothing, or ends in the middle of a line, which a write left unfinished. */
function endOf(file: string): 'nothing' | 'line' | 'unfinished' {
  const fd = openSync(file, 'a+', MODE);
  try {
    const { size } = fstatSync(fd);
    const last = Buffer.alloc(1);
    if (size === 0 || readSync(fd, last, 0, 1, size - 1) === 0) return 'nothing';
    return last.toString() === '\n' ? 'line' : 'unfinished';
  } finally {
    closeSync(fd);
  }
}

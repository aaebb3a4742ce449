import { existsSync } from 'node:fs';
import type { AnswerRule } from '../../../mock-server/answers/answer-rule.ts';
import { answerSchema, type AnswerWords } from '../../../mock-server/answers/answer-schema.ts';
import { compileAnswers } from '../../../mock-server/answers/compile-answers.ts';
import type { Question } from '../../../mock-server/answers/question.ts';
import type { Upstream } from '../../../mock-server/answers/upstream.ts';
import type { MockOptions } from '../../../mock-server/start-mock.ts';
import { completeWorld } from '../../../mock-server/world/complete-world.ts';
import { readJsonFile } from '../../../mock-server/world/world-file.ts';
import { type WorldFile, worldFileSchema } from '../../../mock-server/world/world-schema.ts';
import { redactorOf } from '../../../suites/kit/redacting/redact.ts';
import { prepareFile, writeWhole } from '../terminal/write-file.ts';
import { askService, listedModels, type RecordedService, type SaidAnswer } from './recorded-service.ts';

/** More than any model has: what is too large is for the recorded service to say. */
const UNKNOWN_CONTEXT = 1_000_000;

interface Recording extends RecordedService {
  /** The file: a world, with what was recorded as its chosen answers. */
  readonly file: string;
  readonly log: (line: string) => void;
}

/**
 * A mock that has another service answer what its file has no answer for, and adds each answer to the file. The same
 * chat is asked once. Throws a UsageError, or a JsonFileError for a file that is no world.
 */
export async function recordAnswers(
  recording: Recording,
): Promise<Required<Pick<MockOptions, 'world' | 'upstream'>>> {
  const { file } = recording;
  prepareFile(file);
  const begun = existsSync(file) ? await readJsonFile(file, worldFileSchema) : await newFile(recording);
  const world = completeWorld(begun);
  return { world, upstream: upstreamOf(recording, begun, world) };
}

/** A world with the models of the service, which refuses what is not recorded. */
async function newFile(service: RecordedService): Promise<WorldFile> {
  const listed = await listedModels(service);
  const models = listed.map(({ id, contextTokens = UNKNOWN_CONTEXT }) => ({
    id,
    contextTokens,
    price: { input: 1, output: 1 },
    vision: true,
  }));
  const request = { maxTokensDefault: UNKNOWN_CONTEXT };
  return { models, choices: { request }, unanswered: 'refuse', answers: [] };
}

function upstreamOf(
  recording: Recording,
  begun: WorldFile,
  names: ReturnType<typeof completeWorld>,
): Upstream {
  const { file, apiKey, log } = recording;
  const redactor = redactorOf({ keys: { primary: apiKey }, headers: {} });
  const answers = [...(begun.answers ?? [])];
  const asked = new Map<string, Promise<AnswerRule>>();
  const record = async (question: Question): Promise<AnswerRule> => {
    const said = await askService(recording, question.model, question.sent, log);
    const words = ruleOf(question, said, redactor.value);
    answers.push(words);
    writeWhole(file, `${JSON.stringify({ ...begun, answers }, undefined, 2)}\n`);
    log(`record: answer ${answers.length} is in ${file}`);
    const [rule] = compileAnswers([words], names);
    if (rule === undefined) throw new Error('A recorded answer was lost');
    return rule;
  };
  return (question) => {
    const id = `${question.model}\n${question.digest()}`;
    const known = asked.get(id) ?? record(question);
    asked.set(id, known);
    // What failed may be asked again by the caller.
    known.catch(() => asked.delete(id));
    return known;
  };
}

/** The rule of a recorded answer, without secrets; unchecked where the service did not keep the specification. */
function ruleOf(
  { model, sent, digest }: Question,
  said: SaidAnswer,
  redacted: <Value>(value: Value) => Value,
): AnswerWords {
  const { messages, temperature, max_tokens: maxTokens } = sent;
  const request = {
    messages,
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
  };
  const clean = redacted(request);
  const isChanged = JSON.stringify(clean) !== JSON.stringify(request);
  const words = {
    match: { model, request: isChanged ? { ...clean, digest: digest() } : clean },
    ...redacted(said),
  };
  const checked = answerSchema.safeParse(words);
  return checked.success ? checked.data : answerSchema.parse({ ...words, unchecked: true });
}

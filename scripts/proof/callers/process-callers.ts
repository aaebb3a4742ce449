import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { NO_MORE_NAMES } from '../../caller/caller-inputs.ts';
import { callerScenarioNames, type CallerScenarioName } from '../../caller/scenarios.ts';
import { startCommand } from '../../caller/start-command.ts';
import type { StartCaller } from '../../caller/try-caller.ts';
import type { ProofCaller } from './proof-caller.ts';

const DEADLINE_MS = 60_000;

function node(args: readonly string[]): StartCaller {
  return startCommand({
    program: process.execPath,
    args,
    deadlineMs: DEADLINE_MS,
    names: NO_MORE_NAMES,
    signal: new AbortController().signal,
  });
}

function driver(name: string): StartCaller {
  return node([
    fileURLToPath(new URL(`../../caller/drivers/${name}${extname(import.meta.url)}`, import.meta.url)),
  ]);
}

/** A program that may import the packages of this project. */
function program(...lines: readonly string[]): StartCaller {
  return node(['--input-type=module', '--eval', lines.join('\n')]);
}

/** A program that has listed the models, and can `post` a text under an Idempotency-Key. */
function fetching(variables: 'CHAT' | 'OPENAI', ...lines: readonly string[]): StartCaller {
  return program(
    `const { ${variables}_BASE_URL: url, ${variables}_API_KEY: apiKey, CHAT_TASK, CHAT_CONTROL_URL } = process.env;`,
    'const timeoutMs = Number(process.env.CHAT_TIMEOUT_MS);',
    'const authorization = `Bearer ${apiKey}`;',
    'const { data } = await (await fetch(`${url}/models`, { headers: { authorization } })).json();',
    'const post = (content, key, more = {}) => fetch(`${url}/chat/completions`, {',
    '  method: "POST",',
    '  headers: { authorization, "content-type": "application/json", "idempotency-key": key },',
    '  body: JSON.stringify({ model: data[0].id, messages: [{ role: "user", content }] }),',
    '  ...more,',
    '});',
    ...lines,
  );
}

const crashesOnHtml = fetching(
  'CHAT',
  'for (const { text } of JSON.parse(CHAT_TASK).wishes)',
  '  JSON.parse(await (await post(text, crypto.randomUUID())).text());',
);

const openaiDefaults = program(
  'import OpenAI from "openai";',
  'const client = new OpenAI();',
  'const { data } = await client.models.list();',
  'for (const { text } of JSON.parse(process.env.CHAT_TASK).wishes) {',
  '  const messages = [{ role: "user", content: text }];',
  '  await client.chat.completions.create({ model: data[0].id, messages }).catch(() => {});',
  '}',
);

/** Ignores the task: sends two requests of its own, and prints the key of one that failed. */
const ownRequests = fetching(
  'OPENAI',
  'for (const text of ["Name a tree.", "Name a bird."]) {',
  '  const key = crypto.randomUUID();',
  '  const answer = await post(text, key).catch(() => null);',
  '  if (answer?.ok !== true) { console.error("failed:", key); process.exitCode = 1; break; }',
  '}',
);

/** Sends three equal requests of its own: each is a new one, whatever became of the one before. */
const equalTexts = fetching(
  'CHAT',
  'for (let n = 0; n < 3; n += 1) {',
  '  const signal = AbortSignal.timeout(timeoutMs);',
  '  await post("Name a number.", crypto.randomUUID(), { signal }).then((answer) => answer.text(), () => "");',
  '}',
);

/** Leaves after 5 s, asks once more, and ends: its end is not why the first connection closed. */
const leavesAndEnds = fetching(
  'CHAT',
  'for (const { text } of JSON.parse(CHAT_TASK).wishes)',
  '  await post(text, crypto.randomUUID(), { signal: AbortSignal.timeout(5000) }).then((answer) => answer.text(), () => "");',
  'process.exit(0);',
);

/** Posts its question again in a conversation that says that no answer came. */
const asksInOtherWords = fetching(
  'CHAT',
  'for (const { text } of JSON.parse(CHAT_TASK).wishes) {',
  '  const answer = await post(text, crypto.randomUUID()).catch(() => null);',
  '  if (answer?.ok !== true) await post(`No answer came. Once more: ${text}`, crypto.randomUUID());',
  '}',
);

/** Sends one item each 120 ms, whatever comes, until it has read a refusal: no request waits for another. */
const openLoop = fetching(
  'CHAT',
  'let isOver = false;',
  'const sent = [];',
  'for (const { text } of JSON.parse(CHAT_TASK).wishes) {',
  '  if (isOver) break;',
  '  const signal = AbortSignal.timeout(timeoutMs);',
  '  const answered = post(text, crypto.randomUUID(), { signal }).then((answer) => answer.text());',
  '  sent.push(answered.then((body) => { isOver ||= body.includes(\'"error"\'); }, () => {}));',
  '  await new Promise((resolve) => setTimeout(resolve, 120));',
  '}',
  'await Promise.all(sent);',
);

/** Gives up on a request without closing the connection, looks it up at once, and exits. */
const givesUpAndLooksUp = fetching(
  'CHAT',
  'const key = crypto.randomUUID();',
  'const answer = post("Name a tree.", key).catch(() => null);',
  'const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));',
  'await Promise.race([answer, pause(timeoutMs)]);',
  'const lookUp = () => fetch(`${CHAT_CONTROL_URL}/requests?idempotencyKey=${key}`).then((found) => found.text());',
  'for (let n = 0; n < 3; n += 1) { await lookUp(); await pause(1000); }',
  'process.exit(0);',
);

/** By the clauses that each breaks, the scenarios in which it is tried, and its program. */
const PROGRAMS: Readonly<
  Record<string, readonly [readonly ClauseId[], readonly CallerScenarioName[], StartCaller]>
> = {
  'html-crashes-it': [['CALL-8'], ['html-answer'], crashesOnHtml],
  'openai-client-with-its-defaults': [
    ['IDEM-1', 'CALL-2', 'CALL-6'],
    ['plain-use', 'charged-and-lost', 'unavailable'],
    openaiDefaults,
  ],
  'leaves-after-5-s-and-ends': [['CALL-6'], ['no-answer', 'late-answer'], leavesAndEnds],
  'asks-in-other-words': [['CALL-2'], ['html-answer', 'connection-lost'], asksInOtherWords],
  'sends-on-a-timer': [
    [],
    ['plain-use', 'rate-limited', 'model-vanishes', 'token-limit', 'unavailable'],
    openLoop,
  ],
  'openai-client-as-specified': [[], callerScenarioNames(), driver('openai-driver')],
  'plain-fetch': [[], callerScenarioNames(), driver('fetch-driver')],
  'equal-texts-for-wishes-of-its-own': [
    [],
    ['plain-use', 'charged-and-lost', 'html-answer', 'connection-lost', 'unavailable'],
    equalTexts,
  ],
  'gives-up-without-closing-and-looks': [[], ['no-answer'], givesUpAndLooksUp],
  'wishes-of-its-own': [[], ['plain-use', 'charged-and-lost', 'html-answer', 'unavailable'], ownRequests],
};

/** Callers in processes of their own. */
export const PROCESS_CALLERS: readonly ProofCaller[] = Object.entries(PROGRAMS).map(
  ([name, [clauses, scenarios, start]]) => {
    const kind = clauses.length === 0 ? 'faithful-caller' : 'broken-caller';
    return { name, kind, clauses, scenarios, start };
  },
);

import { fileURLToPath } from 'node:url';
import { extname } from 'node:path';
import { callerScenarioNames } from '../../caller/scenarios/caller-scenarios.ts';
import { startCommand } from '../../caller/start-command.ts';
import type { StartCaller } from '../../caller/run-scenario.ts';
import { faithfulProcess, type ProofCaller } from './proof-caller.ts';

const DEADLINE_MS = 60_000;

function node(args: readonly string[]): StartCaller {
  return startCommand({
    program: process.execPath,
    args,
    deadlineMs: DEADLINE_MS,
    names: { baseUrl: [], apiKey: [] },
    signal: new AbortController().signal,
  });
}

function driver(name: string): StartCaller {
  return node([
    fileURLToPath(new URL(`../../caller/drivers/${name}${extname(import.meta.url)}`, import.meta.url)),
  ]);
}

/** A program, line by line; it may import the packages of this project. */
function program(lines: readonly string[]): StartCaller {
  return node(['--input-type=module', '--eval', lines.join('\n')]);
}

const HTML_CRASH = [
  'const { CHAT_BASE_URL, CHAT_API_KEY, CHAT_TASK } = process.env;',
  'const authorization = `Bearer ${CHAT_API_KEY}`;',
  'const json = async (answer) => JSON.parse(await answer.text());',
  'const { data } = await json(await fetch(`${CHAT_BASE_URL}/models`, { headers: { authorization } }));',
  'for (const { text } of JSON.parse(CHAT_TASK).wishes) {',
  '  const headers = { authorization, "content-type": "application/json", "idempotency-key": crypto.randomUUID() };',
  '  const body = JSON.stringify({ model: data[0].id, messages: [{ role: "user", content: text }] });',
  '  await json(await fetch(`${CHAT_BASE_URL}/chat/completions`, { method: "POST", headers, body }));',
  '}',
];

const OPENAI_DEFAULTS = [
  'import OpenAI from "openai";',
  'const client = new OpenAI();',
  'const { data } = await client.models.list();',
  'for (const { text } of JSON.parse(process.env.CHAT_TASK).wishes) {',
  '  const messages = [{ role: "user", content: text }];',
  '  await client.chat.completions.create({ model: data[0].id, messages }).catch(() => {});',
  '}',
];

/** Ignores the task: sends two requests of its own, and prints the key of one that failed. */
const OWN_REQUESTS = [
  'const { OPENAI_BASE_URL: url, OPENAI_API_KEY } = process.env;',
  'const authorization = `Bearer ${OPENAI_API_KEY}`;',
  'const { data } = await (await fetch(`${url}/models`, { headers: { authorization } })).json();',
  'for (const content of ["Name a tree.", "Name a bird."]) {',
  '  const key = crypto.randomUUID();',
  '  const headers = { authorization, "content-type": "application/json", "idempotency-key": key };',
  '  const body = JSON.stringify({ model: data[0].id, messages: [{ role: "user", content }] });',
  '  const answer = await fetch(`${url}/chat/completions`, { method: "POST", headers, body }).catch(() => null);',
  '  if (answer?.ok !== true) { console.error("failed:", key); process.exitCode = 1; break; }',
  '}',
];

/** Sends three equal requests of its own: each is a new one, whatever became of the one before. */
const EQUAL_TEXTS = [
  'const { CHAT_BASE_URL: url, CHAT_API_KEY, CHAT_TIMEOUT_MS } = process.env;',
  'const authorization = `Bearer ${CHAT_API_KEY}`;',
  'const { data } = await (await fetch(`${url}/models`, { headers: { authorization } })).json();',
  'const body = JSON.stringify({ model: data[0].id, messages: [{ role: "user", content: "Name a number." }] });',
  'for (let wish = 0; wish < 3; wish += 1) {',
  '  const headers = { authorization, "content-type": "application/json", "idempotency-key": crypto.randomUUID() };',
  '  const signal = AbortSignal.timeout(Number(CHAT_TIMEOUT_MS));',
  '  await fetch(`${url}/chat/completions`, { method: "POST", headers, body, signal }).then((answer) => answer.text(), () => "");',
  '}',
];

/** Gives up on a request without closing the connection, looks it up at once, and exits. */
const GIVES_UP_AND_LOOKS_UP = [
  'const { CHAT_BASE_URL: url, CHAT_API_KEY, CHAT_CONTROL_URL, CHAT_TIMEOUT_MS } = process.env;',
  'const authorization = `Bearer ${CHAT_API_KEY}`;',
  'const { data } = await (await fetch(`${url}/models`, { headers: { authorization } })).json();',
  'const key = crypto.randomUUID();',
  'const headers = { authorization, "content-type": "application/json", "idempotency-key": key };',
  'const body = JSON.stringify({ model: data[0].id, messages: [{ role: "user", content: "Name a tree." }] });',
  'const answer = fetch(`${url}/chat/completions`, { method: "POST", headers, body }).catch(() => null);',
  'const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));',
  'await Promise.race([answer, pause(Number(CHAT_TIMEOUT_MS))]);',
  'const look = () => fetch(`${CHAT_CONTROL_URL}/requests?idempotencyKey=${key}`).then((found) => found.text());',
  'for (let looks = 0; looks < 3; looks += 1) { await look(); await pause(1000); }',
  'process.exit(0);',
];

/** Callers in processes of their own. */
export const PROCESS_CALLERS: readonly ProofCaller[] = [
  {
    name: 'html-crashes-it',
    kind: 'broken-caller',
    clauses: ['CALL-8'],
    scenarios: ['html-answer'],
    start: program(HTML_CRASH),
  },
  {
    name: 'openai-client-with-its-defaults',
    kind: 'broken-caller',
    clauses: ['IDEM-1', 'CALL-2', 'CALL-6'],
    scenarios: ['plain-use', 'charged-and-lost', 'unavailable'],
    start: program(OPENAI_DEFAULTS),
  },
  faithfulProcess('openai-client-as-specified', callerScenarioNames(), driver('openai-driver')),
  faithfulProcess('plain-fetch', callerScenarioNames(), driver('fetch-driver')),
  faithfulProcess(
    'equal-texts-for-wishes-of-its-own',
    ['plain-use', 'charged-and-lost', 'html-answer', 'connection-lost', 'unavailable'],
    program(EQUAL_TEXTS),
  ),
  faithfulProcess('gives-up-without-closing-and-looks', ['no-answer'], program(GIVES_UP_AND_LOOKS_UP)),
  faithfulProcess(
    'wishes-of-its-own',
    ['plain-use', 'charged-and-lost', 'html-answer', 'unavailable'],
    program(OWN_REQUESTS),
  ),
];

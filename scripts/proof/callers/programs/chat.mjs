// What a program needs to chat: it lists the models, and posts a text under an Idempotency-Key.
const { env } = process;
const url = env.CHAT_BASE_URL ?? env.OPENAI_BASE_URL;
const authorization = `Bearer ${env.CHAT_API_KEY ?? env.OPENAI_API_KEY}`;
const { data } = await (await fetch(`${url}/models`, { headers: { authorization } })).json();

export const controlUrl = env.CHAT_CONTROL_URL;
export const timeoutMs = Number(env.CHAT_TIMEOUT_MS);
export const { wishes = [] } = JSON.parse(env.CHAT_TASK ?? '{}');

export function post(content, key, more = {}) {
  return fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ model: data[0].id, messages: [{ role: 'user', content }] }),
    ...more,
  });
}

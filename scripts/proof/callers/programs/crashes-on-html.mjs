import { post, wishes } from './chat.mjs';

for (const { text } of wishes) JSON.parse(await (await post(text, crypto.randomUUID())).text());

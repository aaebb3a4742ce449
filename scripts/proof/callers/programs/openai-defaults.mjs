import OpenAI from 'tested-client';
const client = new OpenAI();
const { data } = await client.models.list();
for (const { text } of JSON.parse(process.env.CHAT_TASK).wishes) {
  const messages = [{ role: 'user', content: text }];
  await client.chat.completions.create({ model: data[0].id, messages }).catch(() => {});
}

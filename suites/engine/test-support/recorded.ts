import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedExchange } from '../../../fixtures/recorded/test-support/recorded-exchanges.ts';
import { chatDraft } from '../inputs/provoking/chat-drafts.ts';
import type { Exchange } from '../model/exchange.ts';
import { openWire, serve } from './service.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }], max_tokens: 64 };

/** What becomes of a chat whose answer is the recording, sent over a real connection, piece by piece. */
export async function exchangeOf({ answer, stream }: RecordedExchange): Promise<Exchange> {
  const pieces = answer.pieces.map((piece) =>
    typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.base64, 'base64'),
  );
  const { baseUrl } = await serve((_, response) => {
    response.writeHead(answer.status, { ...answer.headers });
    void writeInTurns(response, pieces);
  });
  const chat = chatDraft({ ...CHAT, ...(stream && { stream }) });
  return openWire(baseUrl).sender('recorded').provoke(chat);
}

async function writeInTurns(response: ServerResponse, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    response.write(piece);
    await nextTurn();
  }
  response.end();
}

import type { Chosen } from '../answers/compile-answers.ts';
import { BYTES_PER_TOKEN, countTextTokens } from './accept-chat.ts';

/** The sentences of the mock's models, in many scripts, so that callers meet more than ASCII. */
const SENTENCES: readonly string[] = [
  'The morning train was late, so we walked along the river.',
  'A small lamp on the desk is enough to read by.',
  'Most of the apples in the basket were still green.',
  'They measured the room twice and wrote down both numbers.',
  'Rain is expected in the hills before the evening.',
  'The old map shows a bridge where there is none today.',
  'Two boats left the harbour and only one turned north.',
  'Bread keeps longer when it is wrapped in a dry cloth.',
  'Her notes fill three pages, and the last one is a drawing.',
  'The library opens at nine and closes when the street lights come on.',
  'Nobody remembered who had planted the tree in the yard.',
  'A clear question is often half of its own answer.',
  'Das Fenster zum Garten bleibt über Nacht geöffnet.',
  'Le café du coin ferme plus tôt en février.',
  'Mañana iremos al mercado a comprar limones y pan.',
  'Łódka płynie powoli w dół rzeki.',
  'Kışın bu yol çoğu gün karla kaplıdır.',
  'Старый мост ведёт к тихой площади.',
  'Το μικρό νησί φαίνεται καθαρά από το λιμάνι.',
  '今日は風が強いので、窓を閉めておきます。',
  '山脚下的小路通向一座安静的村庄。',
  '오늘은 도서관에서 책을 두 권 빌렸다.',
  'القمر فوق البيت القديم واضح هذه الليلة.',
  'הספר על השולחן שייך לשכנה שלנו.',
  'बारिश के बाद आँगन में धूप निकल आई।',
  'A path of stones leads to the pond 🌿, where the frogs are loud.',
  'Three dots on the chart 📈 stand apart from all the others.',
];

export interface Generation {
  readonly text: string;
  /** Never more than allowed (REQ-9). */
  readonly tokens: number;
  /** `stop`: the text ended. `length`: it was cut at the allowed tokens (RES-3). */
  readonly finishReason: string;
}

const NATURAL_TOKENS_MINIMUM = 8;
const NATURAL_TOKENS_SPREAD = 32;

/**
 * What the model says for a 32-bit word, or in place of it what is chosen, within the allowed tokens (REQ-9). Its own text
 * has whole sentences, of about 8 to 60 tokens unless so many are chosen. Unchecked words may say why they end.
 */
export function generate(word: number, allowedTokens: number, chosen: Partial<Chosen> = {}): Generation {
  // One token more than is allowed shows that it was cut.
  const whole = chosen.text ?? ownText(word, chosen.tokens, allowedTokens + 1);
  const tokens = chosen.usage?.output ?? countTextTokens(whole);
  if (tokens <= allowedTokens) return { text: whole, tokens, finishReason: chosen.finish ?? 'stop' };
  const finishReason = (chosen.unchecked === true ? chosen.finish : undefined) ?? 'length';
  return { text: cutToTokens(whole, allowedTokens), tokens: allowedTokens, finishReason };
}

function ownText(word: number, tokens: number | undefined, atMost: number): string {
  const draw = createDraw(word);
  if (tokens === undefined)
    return write(draw, (NATURAL_TOKENS_MINIMUM + draw(NATURAL_TOKENS_SPREAD)) * BYTES_PER_TOKEN);
  const exactly = Math.min(tokens, atMost);
  return cutToTokens(write(draw, exactly * BYTES_PER_TOKEN), exactly);
}

/** At least so many bytes. */
function write(draw: (n: number) => number, enough: number): string {
  let text = sentence(draw);
  let bytes = Buffer.byteLength(text);
  while (bytes < enough) {
    const next = ` ${sentence(draw)}`;
    text += next;
    bytes += Buffer.byteLength(next);
  }
  return text;
}

function sentence(draw: (n: number) => number): string {
  return SENTENCES[draw(SENTENCES.length)] ?? '';
}

const UTF8 = new TextEncoder();

/** The longest start of at most so many tokens that does not split a character. */
function cutToTokens(text: string, tokens: number): string {
  // No character takes more than three bytes for each of its code units.
  const room = Math.min(tokens * BYTES_PER_TOKEN, text.length * 3);
  return text.slice(0, UTF8.encodeInto(text, new Uint8Array(room)).read);
}

/** Draws whole numbers from 0 to n - 1 from one 32-bit word (xorshift, Marsaglia 2003). */
export function createDraw(word: number): (n: number) => number {
  // Zero is the one state that xorshift never leaves.
  let state = word >>> 0 || 0x9e3779b9;
  return (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % n;
  };
}

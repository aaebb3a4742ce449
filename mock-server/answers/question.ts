/** What a rule can see of a valid chat. */
export interface Question {
  readonly model: string;
  /** The name of the key. */
  readonly key: string;
  readonly stream: boolean;
  /** The texts of the conversation, for the part that a rule looks at. */
  readonly texts: Readonly<Record<TextPart, string>>;
  /** How many messages the conversation has. */
  readonly messages: number;
}

/** The parts of a conversation that a rule can look at. */
export const TEXT_PARTS = ['user', 'system', 'all'] as const;

export type TextPart = (typeof TEXT_PARTS)[number];

interface SentMessage {
  readonly role: string;
  readonly content: string | readonly { readonly text?: unknown }[];
}

/** Reads the texts of a conversation whose JSON was found valid before. */
export function readQuestion(
  sent: { readonly messages: readonly SentMessage[] },
  known: Pick<Question, 'model' | 'key' | 'stream'>,
): Question {
  const { messages } = sent;
  const user = messages.findLast(({ role }) => role === 'user');
  const system = messages.filter(({ role }) => role === 'system').map(textOf);
  return {
    ...known,
    texts: {
      user: user === undefined ? '' : textOf(user),
      system: system.join('\n'),
      all: messages.map(textOf).join('\n'),
    },
    messages: messages.length,
  };
}

/** The text of a message; of one with parts, its texts line by line. */
function textOf({ content }: SentMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}

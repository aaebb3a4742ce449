/** What a key asks for. */
export type KeyAction = 'failed' | 'all' | 'again' | 'open' | 'quit';

const ACTIONS: Readonly<Record<string, KeyAction>> = {
  f: 'failed',
  a: 'all',
  r: 'again',
  o: 'open',
  q: 'quit',
  // Ctrl-C and Ctrl-D: a terminal that hands over single keys makes no signals of them.
  '\u0003': 'quit',
  '\u0004': 'quit',
};

/** For the line below a verdict. */
export const KEYS_LINE = 'f failed only · a all · r again · o open the report · q quit';

/** Reads single keys from a terminal; does nothing where there is none. Returns how to give it back. */
export function readPressedKeys(onKey: Readonly<Record<KeyAction, () => void>>): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  const read = (keys: string): void => {
    for (const key of keys) {
      const action = ACTIONS[key.toLowerCase()];
      if (action !== undefined) onKey[action]();
    }
  };
  stdin.setRawMode(true).setEncoding('utf8').on('data', read);
  return () => {
    stdin.off('data', read).setRawMode(false).pause();
  };
}

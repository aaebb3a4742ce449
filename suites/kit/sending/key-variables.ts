import type { KeyName } from '../model/exchange.ts';

/** The environment variables that hold the keys. */
export const KEY_VARIABLES: Readonly<Record<KeyName, string>> = {
  primary: 'CHAT_API_KEY',
  second: 'CHAT_SECOND_API_KEY',
  unscoped: 'CHAT_UNSCOPED_API_KEY',
};

export const KEY_NAMES: readonly KeyName[] = ['primary', 'second', 'unscoped'];

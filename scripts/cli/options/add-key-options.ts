import type { Command } from 'commander';

/** The options that name files with secrets: whoever can see a command line must see none. */
export function addKeyOptions(command: Command): Command {
  return command
    .option('--api-key-file <file>', 'read the key from a file instead of CHAT_API_KEY')
    .option('--second-api-key-file <file>', 'the same for CHAT_SECOND_API_KEY')
    .option('--unscoped-api-key-file <file>', 'the same for CHAT_UNSCOPED_API_KEY')
    .option('--control-token-file <file>', 'the same for CHAT_CONTROL_TOKEN');
}

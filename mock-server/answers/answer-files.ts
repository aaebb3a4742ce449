import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { RuleError } from '../rules/rule-error.ts';
import type { AnswerWords } from './answer-schema.ts';

/** Reads the text of every rule that names a file, from a folder. Throws a RuleError with the rule's index. */
export function withTextsOfFiles(rules: readonly AnswerWords[], folder: string): Promise<AnswerWords[]> {
  return Promise.all(
    rules.map(async (rule, index) => {
      if (rule.file === undefined) return rule;
      const { file, ...rest } = rule;
      return { ...rest, text: await textOf(path.resolve(folder, file), index) };
    }),
  );
}

async function textOf(file: string, index: number): Promise<string> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    // Editors end a file with a newline, which is no part of what the model says.
    return text.replace(/\r?\n$/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not UTF-8' : `cannot be read (${code})`;
    throw new RuleError([index, 'file'], `${file} ${reason}`, { cause: error });
  }
}

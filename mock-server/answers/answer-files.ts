import { readFileSync } from 'node:fs';
import path from 'node:path';
import { each, InputError } from '../input/input-error.ts';
import { type AnswerWords, readAnswer } from './answer-schema.ts';

/**
 * Reads rules of chosen answers, and from a folder the text of every one that names a file. Throws an InputError, whose
 * path begins with the index of the rule.
 */
export function readAnswers(given: readonly unknown[], folder: string): readonly AnswerWords[] {
  return each(given, (one) => {
    const { file, ...words } = readAnswer(one);
    return file === undefined ? words : { ...words, text: textOf(path.resolve(folder, file)) };
  });
}

function textOf(file: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
    // Editors end a file with a newline, which is no part of what the model says.
    return text.replace(/\r?\n$/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not UTF-8' : `cannot be read (${code})`;
    throw new InputError(['file'], `${file} ${reason}`, { cause: error });
  }
}

import type { AnswerWords } from '../answers/answer-schema.ts';

/** What follows the answers of a recording, a world file that grows by one answer at a time. */
export const END_OF_ANSWERS = '\n  ]\n}\n';

const ANSWERS = '  "answers": [';

/** Answers as they stand in a recording, each on a line of its own: a process that is killed tears none but the last. */
export function answerLines(answers: readonly AnswerWords[]): string {
  return answers.map((each) => `\n    ${JSON.stringify(each)}`).join(',');
}

/** What the text of a recording says without its last line, which was torn; undefined where that is not what is wrong. */
export function readTornRecording(text: string): unknown {
  const lines = text.split('\n');
  const first = lines.indexOf(ANSWERS) + 1;
  if (first === 0) return undefined;
  const answers = lines.slice(first).map(withoutWhatFollows);
  const torn = answers.findIndex((line) => parsed(line) === undefined);
  const whole = torn === -1 ? answers : answers.slice(0, torn);
  const left = lines.slice(first + whole.length + 1);
  if (!left.every((line) => /^[ \]}]*$/.test(line))) return undefined;
  return parsed([...lines.slice(0, first), whole.join(',')].join('\n') + END_OF_ANSWERS);
}

/** The end that was there may be overwritten in part. */
function withoutWhatFollows(line: string): string {
  return line.replace(/,[ \]}]*$/, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import type { CallerScenario, TaskItem } from './scenarios/scenario.ts';

/** What a driver finds in `CHAT_TASK`, as JSON. */
export interface CallerTask {
  readonly version: 1;
  readonly scenario: string;
  /** How many wishes to have under way at once. */
  readonly atOnce: number;
  readonly wishes: readonly TaskItem[];
}

export function taskOf(name: string, { items, atOnce }: CallerScenario): CallerTask {
  return { version: 1, scenario: name, atOnce, wishes: items };
}

/** What the text of a wish begins with, and that of no other. */
export function beginningOf({ text }: TaskItem): string {
  return text.slice(0, text.indexOf(':') + 1);
}

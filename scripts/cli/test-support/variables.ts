import { onTestFinished } from 'vitest';

/** Gives the rest of a test these variables of the environment, and no others. */
export function setVariables(variables: NodeJS.ProcessEnv = {}): void {
  const { env } = process;
  process.env = variables;
  onTestFinished(() => void (process.env = env));
}

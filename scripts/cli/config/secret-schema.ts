import { z } from 'zod';

/** What is said of a secret that stands as text. */
export const NEVER_TEXT = 'a secret stands as { "env": "NAME" } or { "file": "PATH" }, never as text';

export const secret = z
  .union(
    [
      z.strictObject({ env: z.string().min(1).describe('A variable of the environment.') }),
      z.strictObject({ file: z.string().min(1).describe('A file that contains nothing else.') }),
    ],
    { error: NEVER_TEXT },
  )
  .describe('Where a secret is. The secret itself is refused here.');

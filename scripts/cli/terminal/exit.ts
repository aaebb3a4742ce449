/** What the exit code of a process says. */
export const EXIT = {
  conformant: 0,
  violations: 1,
  usage: 2,
  incomplete: 3,
  unreachable: 4,
  interrupted: 130,
} as const;

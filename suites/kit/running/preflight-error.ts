/** The target cannot be reached, or does not answer the one question every run begins with. */
export class TargetUnreachable extends Error {
  override readonly name = 'TargetUnreachable';
}

/** The target answers, and refuses a key the run was given. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

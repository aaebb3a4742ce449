/** Holds the tests of the part that is mutated, as a JSON list of globs. */
export const TESTS_VARIABLE = 'MUTATION_TESTS';

/** A part of the suites, mutated alone and held to the tests that stand in it. */
export interface MutatedPart {
  /** Globs of the files that are mutated; those that begin with `!` are not. */
  readonly mutate: readonly string[];
  /** Globs of the tests that have to notice. */
  readonly tests: readonly string[];
}

/** Tests of every check at once. */
const OF_ALL_CHECKS = 'suites/*.test.ts';

/** In the order of the specification, the kit first. */
export const MUTATED_PARTS: Readonly<Record<string, MutatedPart>> = {
  'kit/judging': folder('kit/judging'),
  'kit/reading': folder('kit/reading'),
  'kit/running': {
    mutate: ['suites/kit/running/{verdict-of,drifts,clause-results}.ts'],
    tests: ['suites/kit/running/{verdict-of,drifts,clause-results}.test.ts'],
  },
  models: section('models'),
  'chat-request': section('chat-request'),
  messages: section('messages', 'image-settings'),
  'chat-response': section('chat-response'),
  streaming: section('streaming', 'long-streams-stimulus', 'refused-streams-stimulus'),
  vision: section('vision', 'vision-answer-stimulus'),
  idempotency: section('idempotency'),
  authentication: section('authentication', 'credential-stimulus', 'forged'),
  errors: section('errors', 'armed-loss-stimulus', 'armed-refusal-stimulus'),
  limits: section('limits', 'known-contexts', 'long-text'),
  credits: section('credits', 'charged-chats-stimulus', 'refused-chats-stimulus'),
  versioning: section('versioning', 'client-stimuli', 'client-trial', 'fetch-through', 'tested-client'),
};

function folder(name: string): MutatedPart {
  const files = `suites/${name}`;
  return { mutate: [`${files}/*.ts`, `!${files}/*{.test,-for-test}.ts`], tests: [`${files}/*.test.ts`] };
}

/** The section's judgements: not these files, which send. */
function section(name: string, ...senders: readonly string[]): MutatedPart {
  const { mutate, tests } = folder(name);
  const sending = senders.map((file) => `!suites/${name}/${file}.ts`);
  return { mutate: [...mutate, ...sending], tests: [...tests, OF_ALL_CHECKS] };
}

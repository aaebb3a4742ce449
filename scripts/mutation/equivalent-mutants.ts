/** Mutants that no test can notice, and why; each as file, line of code, the code in question, and what it becomes. */
export interface EquivalentMutants {
  readonly because: string;
  readonly mutants: readonly (readonly [file: string, line: string, from: string, to: string])[];
}

const ONLY_FOR_THE_COMPILER =
  'The test only tells the compiler which shape it has before it: every other shape lacks the member that is read next, and comes to the same end.';

const FILLED_IN_VAIN =
  'The element that is put into the empty list is no record: nothing that is looked for is found in it either.';

/** A run fails on a survivor that is missing here, and on a mutant here that did not survive. */
export const EQUIVALENT_MUTANTS: readonly EquivalentMutants[] = [
  {
    because: ONLY_FOR_THE_COMPILER,
    mutants: [
      [
        'kit/judging/departures.ts',
        "if (body.kind === 'no-json' || !isJsonObject(body.value)) return [{ clauses: ['SVC-1'], place: '' }];",
        "body.kind === 'no-json'",
        'false',
      ],
      [
        'kit/judging/departures.ts',
        "if (body.kind === 'no-json' || !isJsonObject(body.value)) return [{ clauses: ['SVC-1'], place: '' }];",
        "'no-json'",
        '""',
      ],
      [
        'kit/judging/is-refused.ts',
        "const isSecond = credential.kind === 'key' && credential.name === 'second';",
        "credential.kind === 'key'",
        'true',
      ],
    ],
  },
  {
    because: FILLED_IN_VAIN,
    mutants: [
      [
        'kit/judging/is-refused.ts',
        'return isSecond ? (survey.secondModels ?? []) : survey.models;',
        '[]',
        '["Stryker was here"]',
      ],
    ],
  },
];

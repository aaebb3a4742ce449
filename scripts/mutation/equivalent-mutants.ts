/** Mutants that no test can notice, and why; each as file, line of code, the code in question, and what it becomes. */
export interface EquivalentMutants {
  readonly because: string;
  readonly mutants: readonly (readonly [file: string, line: string, from: string, to: string])[];
}

/** A run fails on a survivor that is missing here, and on a mutant here that did not survive. */
export const EQUIVALENT_MUTANTS: readonly EquivalentMutants[] = [
  {
    because:
      'The test only tells the compiler which shape a value has: of the other shapes none has the member that is read next, and all come to the same end.',
    mutants: [
      [
        'kit/judging/departures.ts',
        "if (body.kind === 'no-json' || !isJsonObject(body.value)) return [{ clauses: ['SVC-1'], place: '' }];",
        "'no-json'",
        '""',
      ],
      [
        'kit/judging/departures.ts',
        "if (body.kind === 'no-json' || !isJsonObject(body.value)) return [{ clauses: ['SVC-1'], place: '' }];",
        "body.kind === 'no-json'",
        'false',
      ],
      [
        'kit/judging/is-refused.ts',
        "const isSecond = credential.kind === 'key' && credential.name === 'second';",
        "credential.kind === 'key'",
        'true',
      ],
      [
        'streaming/stream-framing.ts',
        "return typeof item === 'object' ? item.pointer : undefined;",
        "typeof item === 'object'",
        'true',
      ],
      [
        'streaming/stream-is-whole.ts',
        'const failed = events.findIndex(({ json }) => json !== undefined && isErrorBody(json));',
        'json !== undefined',
        'true',
      ],
    ],
  },
  {
    because:
      'What is put into the empty list, or in place of the empty text, is nothing that is looked for: nothing is found in it either.',
    mutants: [
      [
        'kit/judging/is-refused.ts',
        'return isSecond ? (survey.secondModels ?? []) : survey.models;',
        '[]',
        '["Stryker was here"]',
      ],
      [
        'streaming/stream-is-buffered.ts',
        '.flatMap((stream) => deliveryOf(stream) ?? [])',
        '[]',
        '["Stryker was here"]',
      ],
    ],
  },
  {
    because:
      'What bears the text is one of the events: where there is a last bearer, there is a first piece.',
    mutants: [
      [
        'streaming/delivery.ts',
        'if (first === undefined || last === undefined) return undefined;',
        'first === undefined',
        'false',
      ],
    ],
  },
  {
    because: 'Exchanges are sent in order: where a later one is there, so is the earlier one.',
    mutants: [
      [
        'streaming/refusal-is-no-stream.ts',
        'if (plain === undefined || streamed === undefined || twin === undefined || control === undefined)',
        'plain === undefined',
        'false',
      ],
      [
        'streaming/refusal-is-no-stream.ts',
        'if (plain === undefined || streamed === undefined || twin === undefined || control === undefined)',
        'plain === undefined || streamed === undefined',
        'false',
      ],
      [
        'streaming/refusal-is-no-stream.ts',
        'if (plain === undefined || streamed === undefined || twin === undefined || control === undefined)',
        'plain === undefined || streamed === undefined',
        'plain === undefined && streamed === undefined',
      ],
      [
        'streaming/refusal-is-no-stream.ts',
        'if (plain === undefined || streamed === undefined || twin === undefined || control === undefined)',
        'streamed === undefined',
        'false',
      ],
      [
        'streaming/refusal-is-no-stream.ts',
        "if (plain?.outcome.kind !== 'answered' || control?.outcome.kind !== 'answered') return undefined;",
        'plain?.outcome',
        'plain.outcome',
      ],
    ],
  },
  {
    because:
      'What stands for no code is compared with the JSON of a code, which it is not in any wording, and with itself.',
    mutants: [
      [
        'streaming/refusal-is-no-stream.ts',
        "return typeof code === 'object' ? JSON.stringify(code.value) : 'none';",
        "'none'",
        '""',
      ],
    ],
  },
];

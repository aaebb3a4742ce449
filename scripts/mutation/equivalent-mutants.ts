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
        'chat-request/chats-served.ts',
        "if (exchange === undefined || chat === undefined) return notExercised('no chat was sent');",
        'exchange === undefined',
        'false',
      ],
      [
        'chat-response/judge-response.ts',
        'if (reading === undefined || choices.length === 0)',
        'reading === undefined',
        'false',
      ],
      [
        'chat-response/output-within-max-tokens.ts',
        "const count = typeof usage === 'object' ? usage.output : undefined;",
        "typeof usage === 'object'",
        'true',
      ],
      [
        'chat-response/output-within-max-tokens.ts',
        "if (exchange === undefined || typeof most !== 'number') return notExercised('the chat names no max_tokens');",
        'exchange === undefined',
        'false',
      ],
      [
        'chat-response/response-names.ts',
        "const found = typeof usage === 'object' ? usage : undefined;",
        "typeof usage === 'object'",
        'true',
      ],
      [
        'errors/gateway-failure-is-no-success.ts',
        "if (outcome.kind === 'uncertain' && (outcome.answer?.status ?? 0) >= 400) return HOLDS;",
        "outcome.kind === 'uncertain'",
        'true',
      ],
      [
        'errors/json-content-type.ts',
        "if (body.kind === 'no-json' || typeof body.value !== 'object' || body.value === null) return undefined;",
        "'no-json'",
        '""',
      ],
      [
        'errors/json-content-type.ts',
        "if (body.kind === 'no-json' || typeof body.value !== 'object' || body.value === null) return undefined;",
        "body.kind === 'no-json'",
        'false',
      ],
      [
        'errors/request-id-unique.ts',
        "if (error === undefined || typeof id !== 'object' || !isTelling(id.value)) return undefined;",
        'error === undefined',
        'false',
      ],
      [
        'errors/request-id-unique.ts',
        "if (error === undefined || typeof id !== 'object' || !isTelling(id.value)) return undefined;",
        "error === undefined || typeof id !== 'object'",
        "error === undefined && typeof id !== 'object'",
      ],
      [
        'errors/request-id-unique.ts',
        "if (error === undefined || typeof id !== 'object' || !isTelling(id.value)) return undefined;",
        "typeof id !== 'object'",
        'false',
      ],
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
        'kit/running/clause-results.ts',
        "const name = need === 'second-key' || need === 'unscoped-key' ? KEY_OF_NEED[need] : undefined;",
        "need === 'second-key' || need === 'unscoped-key'",
        'true',
      ],
      [
        'kit/running/drifts.ts',
        'const pinned = profile.pins?.[point];',
        'profile.pins?.[point]',
        'profile.pins[point]',
      ],
      [
        'limits/limits-shown.ts',
        "if (reading?.kind !== 'models') return notExercised('no list of models was recognised: see MOD-1');",
        'reading?.kind',
        'reading.kind',
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
      [
        'versioning/client-raises-typed-error.ts',
        "const seen = sight.kind === 'threw' ? sight.apiError : undefined;",
        "sight.kind === 'threw'",
        'true',
      ],
      [
        'vision/vision-can-be-asked.ts',
        "const saysNothing = answer.body.length === 0 || (body.kind === 'json' && body.value === null);",
        "body.kind === 'json'",
        'true',
      ],
      [
        'vision/vision-shape.ts',
        "...observedPlace('vision.list', reading.kind === 'by-model' ? reading.pointer : undefined, profile),",
        "reading.kind === 'by-model'",
        'true',
      ],
      [
        'vision/vision-shape.ts',
        "if (reading.kind === 'unrecognised') return undefined;",
        "'unrecognised'",
        '""',
      ],
      [
        'vision/vision-shape.ts',
        "if (reading.kind === 'unrecognised') return undefined;",
        "reading.kind === 'unrecognised'",
        'false',
      ],
    ],
  },
  {
    because:
      'What is put into the empty list, or in place of the empty text, is nothing that is looked for: nothing is found in it either.',
    mutants: [
      [
        'chat-request/chats-served.ts',
        'const list = Array.isArray(messages) ? messages : [];',
        '[]',
        '["Stryker was here"]',
      ],
      [
        'chat-response/output-within-max-tokens.ts',
        'const texts = (whole.choices ?? []).flatMap(({ text }) => text ?? []);',
        '[]',
        '["Stryker was here"]',
      ],
      [
        'errors/json-content-type.ts',
        "if (/^application\\/(?:[\\w.-]+\\+)?json\\s*(?:;|$)/i.test(type ?? '')) return HOLDS;",
        "''",
        '"Stryker was here!"',
      ],
      [
        'errors/no-key-echoed.ts',
        "for (const name in headers) if (MARKER.test(headers[name] ?? '')) return name;",
        "''",
        '"Stryker was here!"',
      ],
      [
        'errors/valid-utf8.ts',
        "return /^[^;]*\\bjson\\b/i.test(answerOf(exchange).headers['content-type'] ?? '');",
        "''",
        '"Stryker was here!"',
      ],
      [
        'kit/judging/is-refused.ts',
        'return isSecond ? (survey.secondModels ?? []) : survey.models;',
        '[]',
        '["Stryker was here"]',
      ],
      [
        'kit/running/clause-results.ts',
        'for (const need of CLAUSES[id].needs ?? []) {',
        '[]',
        '["Stryker was here"]',
      ],
      [
        'streaming/stream-is-buffered.ts',
        '.flatMap((stream) => deliveryOf(stream) ?? [])',
        '[]',
        '["Stryker was here"]',
      ],
      ['versioning/client-lists-models.ts', ': [];', '[]', '["Stryker was here"]'],
      [
        'versioning/client-streams.ts',
        'const events = Array.isArray(seen) ? seen : [];',
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
        'authentication/scope-required.ts',
        'if (unscoped === undefined || unknown === undefined) return undefined;',
        'unscoped === undefined',
        'false',
      ],
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
  {
    because:
      'An outcome of another kind has an answer, or a reason of its own that speaks of no connection that broke.',
    mutants: [
      [
        'errors/malformed-bodies-survived.ts',
        "outcome.kind === 'uncertain' &&",
        "outcome.kind === 'uncertain'",
        'true',
      ],
    ],
  },
  {
    because: 'It only spares the decoding of bodies in which the marker cannot be.',
    mutants: [
      [
        'errors/no-key-echoed.ts',
        "if (!Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('[key:')) return undefined;",
        "!Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('[key:')",
        'false',
      ],
      [
        'errors/no-key-echoed.ts',
        "if (!Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('[key:')) return undefined;",
        "'[key:'",
        '""',
      ],
    ],
  },
  {
    because: 'There is exactly one record with a debit by then, and its debit is a number.',
    mutants: [
      [
        'credits/success-is-debited.ts',
        "const isConsumed = debited.every(({ reservation }) => (reservation?.state ?? 'consumed') === 'consumed');",
        "debited.every(({ reservation }) => (reservation?.state ?? 'consumed') === 'consumed')",
        "debited.some(({ reservation }) => (reservation?.state ?? 'consumed') === 'consumed')",
      ],
      [
        'credits/success-is-debited.ts',
        'if (debited.some(({ debit }) => debit === null || debit <= 0))',
        'debit === null',
        'false',
      ],
      [
        'credits/success-is-debited.ts',
        'if (debited.some(({ debit }) => debit === null || debit <= 0))',
        'debited.some(({ debit }) => debit === null || debit <= 0)',
        'debited.every(({ debit }) => debit === null || debit <= 0)',
      ],
    ],
  },
  {
    because: 'There is a first choice: a response without one is judged by others.',
    mutants: [
      [
        'chat-response/response-names.ts',
        'const reason = first?.finishReason;',
        'first?.finishReason',
        'first.finishReason',
      ],
    ],
  },
  {
    because: 'What is recognised has a shape, so that something is seen.',
    mutants: [
      [
        'vision/vision-shape.ts',
        "if (reading.kind === 'unrecognised' && seen.length === 0) return notExercised(reading.reason, PIN_VISION);",
        "reading.kind === 'unrecognised'",
        'true',
      ],
    ],
  },
];

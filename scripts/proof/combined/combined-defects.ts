import { type DefectName, DEFECTS, isDefectName } from '../../../mock-server/defects/defects.ts';
import type { Defect } from '../../../mock-server/defects/kit/defect.ts';

/**
 * Services with two to six defects at once, drawn at random from those that alone leave every other clause to be
 * exercised. No two of one service break the same clause, so that each blame tells of one of them.
 */
export const COMBINED_DEFECTS: readonly NamedDefects[] = `
one-request-id-for-key-errors streams-not-debited
unavailability-told-as-completion content-null-allowed requested-output-wraps
content-null-of-assistant-allowed stream-passed-through key-in-address-admitted deep-body-fails
deep-body-hangs-up vision-by-model-name stream-options-allowed other-models-streams-without-usage content-null-allowed
content-number-coerced stream-options-allowed one-model-without-finish-reason vision-without-key responses-lookup-served numbered-messages-listed
responses-streamed famous-models-mapped
temperature-text-coerced stream-truthy chat-refused-beyond-ascii
roles-trimmed temperature-null-absent requested-output-wraps max-tokens-ignored-in-streams
scope-not-checked-for-vision no-key-needed role-of-no-text-fails debit-without-balance one-request-id-for-all
key-echoed zero-request-id-for-parse-errors content-object-allowed proto-field-fails model-of-any-type-in-streams max-tokens-ignored-unreported
numbered-messages-listed other-models-streams-without-usage
invalid-utf8-fails rate-limit-without-request-id odd-messages-skipped
stream-passed-through basic-scheme-admitted temperature-unchecked inherited-names-known
first-message-checked-only stream-usage-null stream-text-coerced one-model-without-choices gateway-failure-streamed-as-completion
tool-choice-none-ignored max-tokens-required content-number-coerced scope-not-checked-for-streams one-request-id-for-key-errors unknown-model-falls-back
model-record-without-id max-tokens-required
null-unknown-field-ignored latest-is-an-alias key-compared-by-prefix
stream-truthy parse-error-in-html text-message-wrapped max-tokens-ignored-in-streams
field-names-trimmed system-message-later-fails other-models-streams-without-finish missing-model-is-default key-case-ignored
first-message-checked-only debit-of-nothing image-before-last-left-out empty-content-fails unavailability-streamed-as-completion n-allowed
function-role-allowed stream-false-refused
framework-errors-for-validation image-before-last-left-out prompt-for-messages
second-key-without-usage largest-context-for-all max-tokens-off-by-one stream-end-not-flushed
temperature-nan-admitted responses-streamed other-keys-models-served errors-without-message stream-role-early
role-of-no-text-fails key-errors-with-200 rate-limit-told-as-completion uncertain-request-replayed model-of-any-type no-key-needed
stream-refusals-of-another-code any-key-admitted
key-case-ignored null-model-is-default stream-cut-in-half
stream-usage-null system-message-later-fails scope-errors-without-request-id latest-is-an-alias
responses-api-served empty-model-is-default second-key-may-use-all field-case-ignored empty-body-fails
finish-reason-null long-chat-refused
model-errors-without-request-id long-history-fails finish-reason-null
stream-null-absent content-object-allowed developer-role-allowed json-typed-plain
rate-limit-empty answers-kept-ahead-of-guard stream-usage-estimated model-case-ignored max-tokens-rounded
model-case-ignored second-choice-without-text
missing-messages-fail streams-without-key key-errors-with-200
stream-begins-early stream-usage-below-zero scope-not-checked-for-streams content-list-unchecked
content-strings-joined max-tokens-rounded messages-text-wrapped finish-reason-empty uncertain-request-forgotten
key-in-address-admitted requested-output-clamped-in-streams key-errors-empty uncertain-request-forgotten other-models-streams-broken proto-field-unseen
model-list-falls-through refusals-streamed
key-compared-to-shorter image-dropped-for-blind-model-in-streams unavailability-streamed-as-completion
functions-ignored responses-lookup-served text-message-wrapped input-counted-without-system
max-tokens-text-coerced key-length-compared scope-not-checked-for-models functions-ignored largest-context-for-all content-flag-coerced
image-dropped-for-blind-model-in-streams image-in-assistant-message
stop-allowed input-truncated chat-without-key
answers-kept-ahead-of-guard validation-errors-without-request-id missing-messages-are-empty gateway-failure-told-as-completion
scheme-ignored large-body-hangs-up model-object-unwrapped stream-trickles max-completion-tokens-allowed
second-key-without-usage large-body-in-html
key-compared-by-prefix uncertain-stream-released function-role-allowed
proto-field-unseen null-model-is-default max-tokens-ignored parse-error-in-html
temperature-nan-admitted stream-json-broken single-message-wrapped long-chat-refused other-models-ignore-max-tokens
key-compared-to-shorter refused-streams-debited missing-content-type-fails other-models-not-debited larger-context-for-both errors-typed-html
input-truncated-in-streams missing-content-type-fails
temperature-unchecked uncertain-request-released unknown-model-falls-back-in-streams
key-in-other-header-admitted missing-messages-fail stream-refusals-of-another-code requested-output-clamped-in-streams
any-key-admitted unknown-fields-stripped stream-null-absent provider-prefix-dropped responses-kept
streams-not-debited request-id-by-the-second
key-errors-without-request-id model-list-of-every-key json-typed-plain
errors-with-empty-message model-list-cached-across-keys model-role-allowed models-without-key
n-allowed model-begins-with-id one-model-without-text bearer-alone-admitted long-history-fails
`
  .trim()
  .split('\n')
  .map(namedDefects);

type NamedDefects = readonly [DefectName, ...DefectName[]];

function namedDefects(row: string): NamedDefects {
  const [first, ...others] = row.split(' ').map((name) => {
    if (!isDefectName(name)) throw new TypeError(`no defect is called ${name}`);
    return name;
  });
  if (first === undefined) throw new TypeError('a combined service has no defect');
  return [first, ...others];
}

/** Ordinary mistakes of one service, all at once. */
export const SIX_ORDINARY_BUGS = [
  'unknown-fields-stripped',
  'temperature-unchecked',
  'famous-models-mapped',
  'stream-trickles',
  'scope-not-checked-for-chat',
  'rate-limit-in-plain-text',
] as const satisfies readonly DefectName[];

/** What a service with all of these breaks. */
export function combinedDefect(names: NamedDefects): Pick<Defect, 'clauses' | 'alsoBlamed'> {
  const [first, ...others] = names;
  const all = names.map((name) => DEFECTS[name]);
  return {
    clauses: [...DEFECTS[first].clauses, ...others.flatMap((name) => DEFECTS[name].clauses)],
    alsoBlamed: Object.assign({}, ...all.map(({ alsoBlamed }) => alsoBlamed)),
  };
}

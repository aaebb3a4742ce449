/** What stands below the options of `chat-conformance --help`. */
export const CHECK_HELP = `
Examples:
  chat-conformance                          check the mock that comes with it
  CHAT_API_KEY=… chat-conformance --base-url https://host.example/v1
  chat-conformance --only streaming,REQ-6   a section and a clause
  chat-conformance --seed 42 --only roles-served
  chat-conformance --base-url … --report out --fail-on warn,not-exercised
  chat-conformance --base-url … --control-url https://staging.example/control
  chat-conformance --base-url … --baseline known.json    known failures do not fail the run
  chat-conformance diff out-before out      which verdicts changed, and why
  chat-conformance profile learn out --write profile.json
  chat-conformance explain STR-2            what a clause says, and how it is judged

Environment:
  CHAT_API_KEY            the key of the target; needed with --base-url
  CHAT_SECOND_API_KEY     a key with other models, for what is said of each key's own
  CHAT_UNSCOPED_API_KEY   a key without the inference scope
  CHAT_CONTROL_TOKEN      the bearer token of --control-url, where it wants one
  GITHUB_ACTIONS          true: failures are annotated, and GITHUB_STEP_SUMMARY gets a summary
  NO_COLOR, FORCE_COLOR   whether colours are used

Exit codes:
  0 conformant   1 violations   2 wrong usage or configuration
  3 incomplete   4 target unreachable or key refused   130 interrupted

Requests to a target cost credits. With --base-url at most 300 requests and 80 completions are sent, and
nothing that disturbs others or costs much unless --allow says so. A request whose outcome is unknown is
never sent again: it is listed at the end, to be checked in the workspace. With --control-url faults are armed
that strike the next request whoever sends it, so nobody else should use the target meanwhile.`;

/** What stands below the options of `chat-conformance mock --help`. */
export const MOCK_HELP = `
When it is ready it prints one JSON line: {"url","keys","seed","pid"}, and "control" with --control. Logs go to
stderr. SIGTERM drains and ends it. Examples:
  chat-conformance mock --port 8080
  chat-conformance mock --port 8080 --control --fault 'gateway_failure phase=after-debit times=1'
  chat-conformance mock --world world.json --latency 200 --latency-per-token 5`;

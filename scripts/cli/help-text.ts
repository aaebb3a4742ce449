const EXIT_CODES = `Exit codes:
  0 conformant   1 violations   2 wrong usage or configuration
  3 incomplete, or an internal error   4 target unreachable or key refused   130 interrupted`;

const EXAMPLES = `
Examples:
  chat-conformance                          check the bundled mock (no service is named)
  CHAT_API_KEY=… chat-conformance --base-url https://host.example/v1
  chat-conformance --target staging         take settings from a configuration (see chat-conformance init)
  chat-conformance --watch --start 'npm run dev -- --port {port}' --base-url http://127.0.0.1:{port}/v1`;

/** Below the common options of `chat-conformance --help`. */
export const SHORT_CHECK_HELP = `${EXAMPLES}

${EXIT_CODES}

Every option, tiers, variables: chat-conformance --help all`;

/** Below every option: `chat-conformance --help all`. */
export const CHECK_HELP = `${EXAMPLES}
  chat-conformance --only streaming,REQ-6 --seed 42

Environment:
  CHAT_BASE_URL           base URL, if the command line names no target; CHAT_CONTROL_URL, CHAT_TARGET and CHAT_CONFIG
                          replace their options in the same way
  CHAT_API_KEY            key of the target; required with a base URL. If it is set, the mock is checked only with --mock
  CHAT_SECOND_API_KEY     key with other models; CHAT_UNSCOPED_API_KEY: key without the inference scope
  CHAT_CONTROL_TOKEN      bearer token of --control-url; CHAT_PROXY_AUTH: USER:PASSWORD of a proxy
  HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY    proxies, and the hosts that need none
  GITHUB_ACTIONS          true: annotate failures, and write a summary to GITHUB_STEP_SUMMARY
  NO_COLOR, FORCE_COLOR   turn colours off or on

${EXIT_CODES}

Tiers (other options override what they name; docs/spending.md):
  free        no completions: GETs and requests that must be refused. Exits with 1 or 3: a refusal without its accepted
              counterpart is "inconclusive". Stops at the first chat that the service accepts
  smoke       a quarter of the inputs of full: at most 130 requests and 45 completions
  full        default for a service: at most 400 requests and 70 completions
  exhaustive  55 random inputs per kind of request: at most 6000 requests and 1000 completions.
              Default for the bundled mock, without these limits

A request of unknown outcome is never sent again: the report lists it. With --control-url, an armed fault hits the next
request of any client: let nobody else use the target during the run.`;

export const CALLER_HELP = `
Runs the command (or a server and the command that uses it) once per scenario, each time with its own mock. The address
and key are in OPENAI_BASE_URL, OPENAI_API_KEY, CHAT_BASE_URL and CHAT_API_KEY. Only a program that reads CHAT_TASK can
exercise every clause: see docs/callers.md.

Examples:
  chat-conformance caller -- node my-client.js
  chat-conformance caller --scenario rate-limited,no-answer --env-key MY_KEY --report out -- npm run smoke
  chat-conformance caller -- sh -c 'cd "$CHAT_FOLDER" && python "$OLDPWD/job.py"'    if it writes to its folder
  chat-conformance caller --serve 'npm start' --drive 'npm run smoke'    if both read PORT

Exit codes:
  0 faithful   1 violations   2 wrong usage, or the command or server cannot be started
  3 incomplete: the client crashed, did not end, sent nothing, or may have paid for lost work twice; or an internal error
  130 interrupted`;

export const PROXY_HELP = `
Prints one JSON line when it is ready: {"url","target","pid"}; "url" replaces the base URL. It sends no request of its own,
so it costs nothing. It prints each failed check once, to stderr. On SIGINT or SIGTERM it writes the reports and ends
(docs/proxy.md).

Examples:
  chat-conformance proxy --target https://api.example/v1 --port 8090 --report out
  chat-conformance proxy --target https://api.example/v1 --record rome.ndjson    then: mock --world rome.ndjson

Exit codes:
  0 both sides conform   1 violations   2 wrong usage
  3 incomplete: the service accepted no chat, or some traffic was not recorded, or an answer is missing in --record; or
    an internal error
  130 interrupted twice`;

export const MOCK_HELP = `
Prints one JSON line when it is ready: {"url","keys","seed","pid"}, with "control" and "ui", the page of the inspector,
after --control, and "defect" after --defect. Logs go to stderr. SIGTERM finishes open requests and ends the mock.

Examples:
  chat-conformance mock --port 8080 --control --log    see every request in a browser ("ui") and in the terminal
  chat-conformance mock --port 8080 --control --fault 'gateway_failure phase=after-debit times=1'
  chat-conformance mock --answer 'text="It rains." contains=weather'
  chat-conformance mock --world rome.ndjson         serve what "proxy --record rome.ndjson" recorded
  chat-conformance mock --port 8080 --judge         then: curl http://127.0.0.1:8080/control/judge
  chat-conformance mock --judge -- pytest           its address and key are in CHAT_BASE_URL and CHAT_API_KEY

With a command, it prints nothing on stdout and exits with the code of the command. With --judge, with or without a
command, a 0 becomes 1 on violations and 3 if the judgement is incomplete.

Every fault and its fields: docs/faults.md`;

export const JOURNAL_HELP = `
A journal records every request, answer and verdict of a run, byte for byte and without keys: journal.ndjson in the report
folder. It is complete at any moment, so a killed run has reports too. No request is sent. The exit codes, the known
failures and --fail-on are those of the run, unless you give other options (docs/journal.md).`;

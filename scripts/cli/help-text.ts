/** What stands below the options of `chat-conformance --help`. */
export const CHECK_HELP = `
Examples:
  chat-conformance                          check the mock that comes with it
  CHAT_API_KEY=… chat-conformance --base-url https://host.example/v1
  chat-conformance --only streaming,REQ-6   a section and a clause
  chat-conformance --seed 42 --only roles-served
  chat-conformance --base-url … --plan      what that would send at most
  chat-conformance --base-url … --tier free
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

Requests to a target cost credits. --plan prints what a run would send at most, and sends nothing. Sizes, within
which the other options change what they name:
  free        no completion: the GETs, and what must be refused. That nothing but the fault was refused takes an
              counterpart, which is a completion: so a violation is found, and a refusal is "inconclusive".
              The first chat that is served all the same, or whose outcome is unknown, is the last; to risk not
              even that one, add --max-completions 0
  smoke       a quarter of the draws of full: at most 120 requests and 50 completions
  full        the default with --base-url: at most 300 requests and 80 completions
  exhaustive  55 random draws of each kind: at most 6000 requests and 2000 completions. Without --base-url the
              default, and without caps
Nothing disturbs others or costs much unless --allow says so. After a rate limit error fewer requests are sent at
once, after the wait that was asked for; a target that lets nothing through ends the run. A request whose outcome
is unknown is never sent again: it is listed at the end, to be checked in the workspace; three in a row end the
paid part. Each is in the journal before it leaves (in --report, else in chat-conformance-report): "report JOURNAL"
shows what a run found that was killed. With --control-url faults are armed that strike the next request whoever sends it, so nobody else
should use the target meanwhile.`;

/** What stands below the options of `chat-conformance caller --help`. */
export const CALLER_HELP = `
The command is started once for each scenario, with OPENAI_BASE_URL, OPENAI_API_KEY, CHAT_BASE_URL and CHAT_API_KEY
set for a mock of its own. A program that reads CHAT_TASK too can be put to every question: see docs/callers.md.
Examples:
  chat-conformance caller -- node my-client.js
  chat-conformance caller --scenario rate-limited,no-answer --env-key MY_KEY -- python client.py
  chat-conformance caller --report out -- npm run smoke

Exit codes:
  0 faithful   1 violations   2 wrong usage, or a command that cannot be started
  3 incomplete: it crashed, did not end, or sent nothing   130 interrupted`;

/** What stands below the options of `chat-conformance mock --help`. */
export const MOCK_HELP = `
When it is ready it prints one JSON line: {"url","keys","seed","pid"}, and "control" with --control, "defect" with --defect. Logs go to
stderr. SIGTERM drains and ends it. Examples:
  chat-conformance mock --port 8080
  chat-conformance mock --port 8080 --control --fault 'gateway_failure phase=after-debit times=1'
  chat-conformance mock --port 8080 --judge         and then: curl http://127.0.0.1:8080/control/judge
  chat-conformance mock --defect unknown-fields-stripped --control    for a look at what fails
  chat-conformance mock --world world.json --latency 200 --latency-per-token 5`;

/** What stands below the options of `chat-conformance report --help` and of `rejudge`. */
export const JOURNAL_HELP = `
A journal holds every request and answer of a run, byte for byte and without keys, and what was made of them. It is
journal.ndjson in the report folder, and it is whole at any moment: a run that was killed can be reported too, with
each request of unknown outcome and its Idempotency-Key. "report" shows the verdicts as they were; "rejudge" puts the
same answers before the checks of this release, and says which verdicts changed. Neither sends anything.
Exit codes are those of a run.`;

/** What stands below the options of `chat-conformance merge --help`. */
export const MERGE_HELP = `
Each of n jobs runs with the same options, the same --seed and one of --shard 1/n to n/n; merge makes of their journals
what one run without --shard would have found. It sends nothing. A shard that is missing or was killed makes the whole
run incomplete; journals that are not of one run are refused. Exit codes are those of a run. Example:
  chat-conformance --base-url … --seed 42 --shard 1/2 --report out-1
  chat-conformance --base-url … --seed 42 --shard 2/2 --report out-2
  chat-conformance merge out-1 out-2 --report out`;

/** What stands below the options of `chat-conformance replay --help`. */
export const REPLAY_HELP = `
Sends exactly the bytes of the simplest failure, its counterpart before it, under fresh Idempotency-Keys and with the
keys in the environment, and judges what comes. That costs what it cost then. A run against the mock that comes with the
command is replayed against one of the same seed. What is sent gets a journal of its own beside that of the run.

Exit codes:
  0 fixed   1 still fails, or fails differently   2 it cannot be sent again as it was
  3 unknown: an answer is missing, or does not bear on the clause`;

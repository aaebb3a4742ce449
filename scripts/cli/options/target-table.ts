import * as kinds from './kinds.ts';
import type { OptionRows } from './option.ts';

/** An hour: more than any service takes to start. */
const LONGEST_WAIT_S = 3600;

/** Files with secrets: whoever can see a command line must see none. */
export const SECRET_OPTIONS = {
  apiKeyFile: {
    flag: '--api-key-file <file>',
    setting: 'keys.primary',
    variable: 'CHAT_API_KEY',
    kind: kinds.secret,
    says: 'read the key from a file instead of CHAT_API_KEY',
    isRepeated: true,
  },
  secondApiKeyFile: {
    flag: '--second-api-key-file <file>',
    setting: 'keys.second',
    variable: 'CHAT_SECOND_API_KEY',
    kind: kinds.secret,
    says: 'the same for CHAT_SECOND_API_KEY, a key with other models',
    isRepeated: true,
  },
  unscopedApiKeyFile: {
    flag: '--unscoped-api-key-file <file>',
    setting: 'keys.unscoped',
    variable: 'CHAT_UNSCOPED_API_KEY',
    kind: kinds.secret,
    says: 'the same for CHAT_UNSCOPED_API_KEY, a key without the inference scope',
    isRepeated: true,
  },
  controlTokenFile: {
    flag: '--control-token-file <file>',
    setting: 'controlToken',
    variable: 'CHAT_CONTROL_TOKEN',
    kind: kinds.secret,
    says: 'the same for CHAT_CONTROL_TOKEN, the bearer token of --control-url',
    isRepeated: true,
  },
  proxyAuth: {
    setting: 'proxyAuth',
    variable: 'CHAT_PROXY_AUTH',
    kind: kinds.secret,
    says: 'NAME:PASSWORD for the proxy',
  },
  certPassphrase: {
    setting: 'tls.passphrase',
    variable: 'CHAT_CERT_PASSPHRASE',
    kind: kinds.secret,
    says: 'passphrase of the key of the client certificate',
  },
} as const satisfies OptionRows;

/** Which service. */
export const TARGET = {
  ...SECRET_OPTIONS,
  target: {
    flag: '--target <name>',
    variable: 'CHAT_TARGET',
    kind: kinds.text,
    says: 'take the settings of this target from the configuration',
    isCommon: true,
    isRepeated: true,
  },
  config: {
    flag: '--config <file>',
    variable: 'CHAT_CONFIG',
    kind: kinds.configuration,
    says: 'configuration (default: chat-conformance.config.{ts,json} here or above)',
    saysNo: 'use no configuration',
    isRepeated: true,
  },
  baseUrl: {
    flag: '--base-url <url>',
    setting: 'baseUrl',
    variable: 'CHAT_BASE_URL',
    kind: kinds.text,
    says: 'service to check; ends in /v1',
    isCommon: true,
    isRepeated: true,
  },
  mock: {
    flag: '--mock',
    kind: kinds.toggle,
    says: 'check the bundled mock (default where nothing names a target and no key is set)',
    saysNo: 'never check the bundled mock: without a target, exit 2',
    isRepeated: true,
  },
  controlUrl: {
    flag: '--control-url <url>',
    setting: 'controlUrl',
    variable: 'CHAT_CONTROL_URL',
    kind: kinds.text,
    says: 'control API that arms faults and reads the workspace; requires --base-url',
    isRepeated: true,
  },
  profile: {
    flag: '--profile <file>',
    setting: 'profile',
    kind: kinds.path,
    says: 'facts about the target that the specification leaves open (JSON)',
    isRepeated: true,
  },
  header: {
    flag: '--header <name:value>',
    kind: kinds.repeated,
    says: 'add a header to every request; NAME:@FILE reads it, as a secret must be; repeatable',
  },
} as const satisfies OptionRows;

/** How it gets there, where it is on this machine. */
export const SERVICE = {
  start: {
    flag: '--start <command>',
    setting: 'start',
    kind: kinds.filledText,
    says: 'start the service, wait for it, and end it; {port}: a free port, in URLs too',
    isCommon: true,
    isRepeated: true,
  },
  wait: {
    flag: '--wait <seconds>',
    setting: 'wait',
    kind: kinds.integer(1, LONGEST_WAIT_S),
    says: 'wait until the service answers (default: 60 with --start)',
    isRepeated: true,
  },
  watch: {
    flag: '--watch [paths...]',
    kind: kinds.watched,
    says: 'check again on every change below these paths (default: all that git does not ignore)',
    isCommon: true,
  },
  watchPaths: { setting: 'watch', kind: kinds.paths, says: 'paths below which --watch looks for changes' },
} as const satisfies OptionRows;

/** How a command gets to its target. */
export const NETWORK_OPTIONS = {
  proxy: {
    flag: '--proxy <url>',
    setting: 'proxy',
    kind: kinds.proxy,
    says: 'send through this proxy (default: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY)',
    isRepeated: true,
  },
  noProxy: {
    flag: '--no-proxy <hosts>',
    setting: 'noProxy',
    kind: kinds.hosts,
    says: 'hosts that are reached without a proxy (default: NO_PROXY)',
    isRepeated: true,
  },
  ca: {
    flag: '--ca <file>',
    setting: 'tls.ca',
    kind: kinds.path,
    says: 'certificates of authorities to trust beside the usual ones (PEM)',
    isRepeated: true,
  },
  cert: {
    flag: '--cert <file>',
    setting: 'tls.cert',
    kind: kinds.path,
    says: 'certificate of the client (PEM); see CHAT_CERT_PASSPHRASE',
    isRepeated: true,
  },
  certKey: {
    flag: '--cert-key <file>',
    setting: 'tls.certKey',
    kind: kinds.path,
    says: 'private key of --cert, unless that file holds it (PEM)',
    isRepeated: true,
  },
  http2: {
    flag: '--http2',
    setting: 'http2',
    kind: kinds.toggle,
    says: 'speak HTTP/2 where the target offers it',
    isRepeated: true,
  },
} as const satisfies OptionRows;

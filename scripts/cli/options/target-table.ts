import {
  configuration,
  filledText,
  hosts,
  integer,
  path,
  paths,
  proxy,
  repeated,
  secret,
  text,
  toggle,
  watched,
} from './kinds.ts';
import { option } from './option.ts';

/** An hour: more than any service takes to start. */
const LONGEST_WAIT_S = 3600;

/** Files with secrets: whoever can see a command line must see none. */
export const SECRET_OPTIONS = {
  apiKeyFile: option('--api-key-file <file>', 'read the key from a file instead of CHAT_API_KEY', secret, {
    setting: 'keys.primary',
    variable: 'CHAT_API_KEY',
  }),
  secondApiKeyFile: option(
    '--second-api-key-file <file>',
    'the same for CHAT_SECOND_API_KEY, a key with other models',
    secret,
    { setting: 'keys.second', variable: 'CHAT_SECOND_API_KEY' },
  ),
  unscopedApiKeyFile: option(
    '--unscoped-api-key-file <file>',
    'the same for CHAT_UNSCOPED_API_KEY, a key without the inference scope',
    secret,
    { setting: 'keys.unscoped', variable: 'CHAT_UNSCOPED_API_KEY' },
  ),
  controlTokenFile: option(
    '--control-token-file <file>',
    'the same for CHAT_CONTROL_TOKEN, the bearer token of --control-url',
    secret,
    { setting: 'controlToken', variable: 'CHAT_CONTROL_TOKEN' },
  ),
  proxyAuth: option('', 'NAME:PASSWORD for the proxy', secret, {
    setting: 'proxyAuth',
    variable: 'CHAT_PROXY_AUTH',
  }),
  certPassphrase: option('', 'passphrase of the key of the client certificate', secret, {
    setting: 'tls.passphrase',
    variable: 'CHAT_CERT_PASSPHRASE',
  }),
};

/** Which service. */
export const TARGET = {
  ...SECRET_OPTIONS,
  target: option('--target <name>', 'take the settings of this target from the configuration', text, {
    variable: 'CHAT_TARGET',
    isCommon: true,
  }),
  config: option(
    '--config <file>',
    'configuration (default: chat-conformance.config.{ts,json} here or above)',
    configuration,
    { variable: 'CHAT_CONFIG', saysNo: 'use no configuration' },
  ),
  baseUrl: option('--base-url <url>', 'service to check; ends in /v1', text, {
    setting: 'baseUrl',
    variable: 'CHAT_BASE_URL',
    isCommon: true,
  }),
  mock: option(
    '--mock',
    'check the bundled mock (default where nothing names a target and no key is set)',
    toggle,
    { saysNo: 'never check the bundled mock: without a target, exit 2' },
  ),
  controlUrl: option(
    '--control-url <url>',
    'control API that arms faults and reads the workspace; requires --base-url',
    text,
    { setting: 'controlUrl', variable: 'CHAT_CONTROL_URL' },
  ),
  profile: option(
    '--profile <file>',
    'facts about the target that the specification leaves open (JSON)',
    path,
    { setting: 'profile' },
  ),
  header: option(
    '--header <name:value>',
    'add a header to every request; NAME:@FILE reads it, as a secret must be; repeatable',
    repeated,
  ),
};

/** How it gets there, where it is on this machine. */
export const SERVICE = {
  start: option(
    '--start <command>',
    'start the service, wait for it, and end it; {port}: a free port, in URLs too',
    filledText,
    { setting: 'start', isCommon: true },
  ),
  wait: option(
    '--wait <seconds>',
    'wait until the service answers (default: 60 with --start)',
    integer(1, LONGEST_WAIT_S),
    { setting: 'wait' },
  ),
};

export const WATCH = {
  watch: option(
    '--watch [paths...]',
    'check again on every change below these paths (default: all that git does not ignore)',
    watched,
    { isCommon: true },
  ),
  watchPaths: option('', 'paths below which --watch looks for changes', paths, { setting: 'watch' }),
};

/** How a command gets to its target. */
export const NETWORK_OPTIONS = {
  proxy: option(
    '--proxy <url>',
    'send through this proxy (default: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY)',
    proxy,
    { setting: 'proxy' },
  ),
  noProxy: option('--no-proxy <hosts>', 'hosts that are reached without a proxy (default: NO_PROXY)', hosts, {
    setting: 'noProxy',
  }),
  ca: option('--ca <file>', 'certificates of authorities to trust beside the usual ones (PEM)', path, {
    setting: 'tls.ca',
  }),
  cert: option('--cert <file>', 'certificate of the client (PEM); see CHAT_CERT_PASSPHRASE', path, {
    setting: 'tls.cert',
  }),
  certKey: option('--cert-key <file>', 'private key of --cert, unless that file holds it (PEM)', path, {
    setting: 'tls.certKey',
  }),
  http2: option('--http2', 'speak HTTP/2 where the target offers it', toggle, { setting: 'http2' }),
};

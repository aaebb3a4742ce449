import { SECRET_VARIABLES } from '../../../suites/engine/model/exchange.ts';
import {
  configuration,
  filledText,
  hosts,
  integer,
  path,
  paths,
  proxy,
  text,
  toggle,
  watched,
} from './kinds.ts';
import { option } from './option.ts';
import { headers, secret } from './secret-kinds.ts';

/** An hour: more than any service takes to start. */
const LONGEST_WAIT_S = 3600;

/** Where a secret is. Whoever can see a command line must see none: a flag names a file. */
const secretOption = <Setting extends keyof typeof SECRET_VARIABLES>(
  setting: Setting,
  flag: string,
  says: string,
) =>
  option(flag, says, secret(flag.split(' ', 1)[0] ?? ''), { setting, variable: SECRET_VARIABLES[setting] });

export const SECRET_OPTIONS = {
  apiKeyFile: secretOption(
    'keys.primary',
    '--api-key-file <file>',
    'read the key from a file instead of CHAT_API_KEY',
  ),
  secondApiKeyFile: secretOption(
    'keys.second',
    '--second-api-key-file <file>',
    'the same for CHAT_SECOND_API_KEY, a key with other models',
  ),
  unscopedApiKeyFile: secretOption(
    'keys.unscoped',
    '--unscoped-api-key-file <file>',
    'the same for CHAT_UNSCOPED_API_KEY, a key without the inference scope',
  ),
  controlTokenFile: secretOption(
    'controlToken',
    '--control-token-file <file>',
    'the same for CHAT_CONTROL_TOKEN, the bearer token of --control-url',
  ),
  proxyAuth: secretOption('proxyAuth', '', 'NAME:PASSWORD for the proxy'),
  certPassphrase: secretOption('tls.passphrase', '', 'passphrase of the key of the client certificate'),
};

/** Which service. */
export const TARGET = {
  ...SECRET_OPTIONS,
  target: option('--target <name>', 'take the settings of this target from the configuration', text, {
    variable: 'CHAT_TARGET',
    isCommon: true,
  }),
  defaultTarget: option('', 'target of a command that names none; one that is alone needs no default', text, {
    setting: 'default',
    isOfWhole: true,
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
    headers,
    { setting: 'headers' },
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

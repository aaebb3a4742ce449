import { z } from 'zod';
import type { CheckFlags } from '../options/check-flags.ts';
import { paceOf } from '../options/network-flags.ts';

/** What is said of a secret that stands as text. */
export const NEVER_TEXT = 'a secret stands as { "env": "NAME" } or { "file": "PATH" }, never as text';

export const secret = z
  .union(
    [
      z.strictObject({ env: z.string().min(1).describe('A variable of the environment.') }),
      z.strictObject({ file: z.string().min(1).describe('A file that contains nothing else.') }),
    ],
    { error: NEVER_TEXT },
  )
  .describe('Where a secret is. The secret itself is refused here.');

const path = z.string().min(1);

const tls = z.strictObject({
  ca: path.exactOptional().describe('Certificates of authorities to trust beside the usual ones (PEM).'),
  cert: path.exactOptional().describe('Certificate of the client (PEM).'),
  certKey: path.exactOptional().describe('Private key of cert, unless that file holds it (PEM).'),
  passphrase: secret.exactOptional().describe('Of the key. Absent: CHAT_CERT_PASSPHRASE.'),
});

/** How requests get to a target: docs/network.md. */
export const NETWORK_SETTINGS = {
  proxy: z
    .string()
    .refine((url) => !/^(?:[^/]*\/\/)?[^/]*@/.test(url), {
      error:
        'must not contain credentials: they stand in proxyAuth, as { "env": "NAME" } or { "file": "PATH" }',
    })
    .describe('Send through this proxy.'),
  proxyAuth: secret.describe('NAME:PASSWORD for the proxy. Absent: CHAT_PROXY_AUTH.'),
  noProxy: z.array(z.string().min(1)).describe('Hosts that are reached without a proxy.'),
  tls: tls.describe('Certificates.'),
  http2: z.boolean().describe('Speak HTTP/2 where the target offers it.'),
  pace: z
    .string()
    .regex(/^[1-9]\d{0,5}\/[sm]$/, { error: 'must be N/s or N/m, such as 5/s or 60/m' })
    .describe('Send no more requests than this: N/s or N/m.'),
} as const;

/** The network settings of one place. */
type NetworkSettings = {
  readonly [K in keyof typeof NETWORK_SETTINGS]?: z.infer<(typeof NETWORK_SETTINGS)[K]>;
};

/** These settings as flags; `inFolder` leads from the working directory to a file beside the configuration. */
export function networkFlagsOf(
  { proxy, noProxy, tls: files = {}, http2, pace }: NetworkSettings,
  inFolder: (file: string) => string,
): CheckFlags {
  const { ca, cert, certKey } = files;
  return {
    ...(proxy !== undefined && { proxy }),
    ...(noProxy !== undefined && { noProxy: noProxy.join(',') }),
    ...(ca !== undefined && { ca: inFolder(ca) }),
    ...(cert !== undefined && { cert: inFolder(cert) }),
    ...(certKey !== undefined && { certKey: inFolder(certKey) }),
    ...(http2 !== undefined && { http2 }),
    ...(pace !== undefined && { pace: paceOf(pace) }),
  };
}

import type { RecordedWay } from './entry-schema.ts';

/** How requests get to a target: by which proxy, and with which certificates. Its members may be secrets. */
export interface Network {
  /** Absent: no proxy. */
  readonly proxies?: Proxies | undefined;
  /** Absent: the certificates that Node trusts, and none of the client. */
  readonly tls?: TlsFiles | undefined;
}

/** URLs of proxies, credentials included, by the scheme of what is requested. */
export interface Proxies {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Hosts that are reached without a proxy, as in NO_PROXY. */
  readonly except: string;
  /** Whether they were asked for, so that loopback addresses are reached through them too. */
  readonly forLoopback: boolean;
  /** Where their credentials are, unless their URLs have them. Absent: in the usual variable. */
  readonly login?: string | undefined;
}

/** What TLS needs beyond what Node trusts: the contents of files. */
export interface TlsFiles {
  /** Certificates of authorities, as PEM; trusted beside those that Node trusts. */
  readonly ca?: string | undefined;
  /** The certificate of the client and its key, as PEM. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Where they were read, which reports may show. */
  readonly files?: RecordedWay;
}

export type Address = ReturnType<typeof addressOf>;

/** Where the connections of a URL go, and what stands in the request line, without a slash at its end. */
export function addressOf(url: string) {
  const { origin, pathname } = new URL(url);
  return { origin, path: pathname.replace(/\/$/, '') };
}

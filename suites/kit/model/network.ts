/** How requests get to a target: by which proxy, with which certificates, to which address. Its members may be secrets. */
export interface Network {
  /** Absent: no proxy. */
  readonly proxies?: Proxies;
  /** Absent: the certificates that Node trusts, and none of the client. */
  readonly tls?: TlsFiles;
  /** Addresses that stand in for what the name service says. */
  readonly resolve?: readonly ResolvedHost[];
  /** Speak HTTP/2 where the target offers it; else HTTP/1.1 only. */
  readonly http2?: boolean;
}

/** URLs of proxies, credentials included, by the scheme of what is requested. */
export interface Proxies {
  readonly http?: string;
  readonly https?: string;
  /** Hosts that are reached without a proxy, as in NO_PROXY. */
  readonly except: string;
  /** Whether they were asked for, so that loopback addresses are reached through them too. */
  readonly forLoopback: boolean;
  /** Ask for a tunnel to http targets as well, so that the proxy changes and holds back nothing. */
  readonly tunnelsHttp: boolean;
}

/** What TLS needs beyond what Node trusts: the contents of files. */
export interface TlsFiles {
  /** Certificates of authorities, as PEM; trusted beside those that Node trusts. */
  readonly ca?: string;
  /** The certificate of the client and its key, as PEM. */
  readonly cert?: string;
  readonly key?: string;
  /** Both in one file. */
  readonly pfx?: Uint8Array;
  readonly passphrase?: string;
  /** Where they were read, which reports may show. */
  readonly files?: { readonly ca?: string; readonly cert?: string; readonly certKey?: string };
}

export interface ResolvedHost {
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

/** A URL taken apart: what stands in the request line, and where the connection goes. */
export interface Address {
  readonly origin: string;
  /** Without a slash at its end. */
  readonly path: string;
  /** Present: the connection goes to this Unix socket. */
  readonly socketPath?: string;
}

/** As nginx writes it: the path of the socket, then that of the URL. */
const UNIX = /^unix:(\/[^:]+)(?::(\/.*))?$/;

/** Takes an http or https URL apart, or one of the form `unix:/run/chat.sock:/v1`. */
export function addressOf(url: string): Address {
  const [, socketPath, path = ''] = UNIX.exec(url) ?? [];
  if (socketPath !== undefined)
    return { origin: 'http://localhost', path: path.replace(/\/$/, ''), socketPath };
  const { origin, pathname } = new URL(url);
  return { origin, path: pathname.replace(/\/$/, '') };
}

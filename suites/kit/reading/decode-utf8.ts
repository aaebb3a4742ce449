const STRICT = new TextDecoder('utf-8', { fatal: true });

/** The text that the bytes are, a leading byte order mark taken off; undefined when they are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined;
  }
}

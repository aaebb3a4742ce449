import { Pool } from 'undici';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** Sends requests with so many under way at once and reads every answer. Returns how many a second. */
export async function sendAll(origin: string, requests: readonly Sent[], width: number): Promise<number> {
  const pool = new Pool(origin, { connections: width, pipelining: 1 });
  try {
    // The connections are opened before the clock starts.
    await sendEach(pool, requests.slice(0, width), width);
    const start = performance.now();
    await sendEach(pool, requests, width);
    return (requests.length * 1000) / (performance.now() - start);
  } finally {
    await pool.close();
  }
}

async function sendEach(pool: Pool, requests: readonly Sent[], width: number): Promise<void> {
  const queue = requests[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const { method, path, headers, body } of queue) {
      const answer = await pool.request({ method, path, headers, body: body ?? null });
      await answer.body.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}

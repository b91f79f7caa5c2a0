import type { FixtureFile } from "./manifest.ts";

/** Address of GitHub's files, followed by `/<repository>/<commit>/<path>`. */
export const GITHUB = "https://raw.githubusercontent.com";

/** The file, or the reason of the failure. `isPassing` if a retry may succeed. */
export type Download =
  | { readonly kind: "right"; readonly bytes: Uint8Array }
  | { readonly kind: "wrong"; readonly reason: string; readonly isPassing: boolean };

/** Options of a download. */
export interface DownloadOptions {
  /** Address before `/<repository>/<commit>/<path>`. */
  readonly mirror: string;
  readonly signal: AbortSignal;
  /** Timeout of the whole file. */
  readonly timeoutMs: number;
}

/** Statuses that a retry may change: too many requests, and server errors. */
const isPassingStatus = (status: number): boolean => status === 429 || status >= 500;

/** SHA-256 as 64 hexadecimal digits. */
export function sha256Of(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/**
 * Fetches a file and compares size and checksum. Never reads more bytes than the file has, and follows no
 * redirect: a mirror must serve the files directly.
 */
export async function download(file: FixtureFile, options: DownloadOptions): Promise<Download> {
  const url = `${options.mirror.replace(/\/+$/, "")}/${file.repository}/${file.commit}/${file.from}`;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
  try {
    const response = await fetch(url, { redirect: "manual", signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      const isRedirect = response.status >= 300 && response.status < 400;
      const reason = `${url} answers ${response.status}${isRedirect ? ", which is not followed" : ""}`;
      return { kind: "wrong", reason, isPassing: isPassingStatus(response.status) };
    }
    const bytes = await readAtMost(response, file.sizeBytes);
    if (bytes === undefined) return wrong(`${url} has more than ${file.sizeBytes} bytes`);
    // A response that ends early has a wrong size; it may be complete at the next try.
    if (bytes.length < file.sizeBytes) {
      const reason = `${url} ends after ${bytes.length} of ${file.sizeBytes} bytes`;
      return { kind: "wrong", reason, isPassing: true };
    }
    if (sha256Of(bytes) !== file.sha256) return wrong(`${url} has another checksum`);
    return { kind: "right", bytes };
  } catch (error) {
    const reason = `${url}: ${error instanceof Error ? error.message : "no answer"}`;
    return { kind: "wrong", reason, isPassing: !options.signal.aborted };
  }
}

function wrong(reason: string): Download {
  return { kind: "wrong", reason, isPassing: false };
}

/** The body; `undefined` if it has more than `mostBytes` bytes, without reading the rest. */
async function readAtMost(response: Response, mostBytes: number): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(mostBytes);
  let length = 0;
  for await (const chunk of response.body ?? []) {
    if (length + chunk.length > mostBytes) return undefined;
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

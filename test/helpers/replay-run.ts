import { BINARY, TEST_ENVIRONMENT } from "./binary.ts";

/** Output and result of `appchain replay`. */
export interface ReplayRun {
  readonly code: number;
  /** Lines of standard output. */
  readonly lines: readonly string[];
  readonly err: string;
  /** Maximum resident memory. */
  readonly maxResidentBytes: number;
}

/** Runs the compiled `appchain replay` against a node. */
export async function runReplay(url: string, ...argv: readonly string[]): Promise<ReplayRun> {
  const child = Bun.spawn([BINARY, "replay", "--url", url, ...argv], {
    cwd: "/",
    env: TEST_ENVIRONMENT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const maxResidentBytes = child.resourceUsage()?.maxRSS ?? Number.NaN;
  return { code, lines: out.trimEnd().split("\n"), err: err.trimEnd(), maxResidentBytes };
}

/**
 * Starts a proxy between a node and its clients that changes the text of responses.
 *
 * @param change - called with the method and the response
 */
export function lyingProxy(url: string, change: (method: string, answer: string) => string) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = await request.text();
      const headers = { "content-type": "application/json" };
      const answer = await fetch(url, { method: "POST", headers, body });
      const { method } = JSON.parse(body) as { readonly method: string };
      return new Response(change(method, await answer.text()), { headers });
    },
  });
  return { url: server.url.href, [Symbol.asyncDispose]: () => server.stop(true) };
}

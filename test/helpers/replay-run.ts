import { BINARY, TEST_ENVIRONMENT } from "./binary.ts";

/** What `appchain replay` printed and ended with. */
export interface ReplayRun {
  readonly code: number;
  /** Lines of standard output. */
  readonly lines: readonly string[];
  readonly err: string;
  /** Most memory that it had. */
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
 * Stands between a node and who asks it, and changes the text of its answers.
 *
 * @param change - is given the method and the answer
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

import { afterAll } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "#test/helpers/binary.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

/** Version whose formats the chain's gateway supports. */
export const PATHFINDER_VERSION = "0.22.3";

const START_TIMEOUT_MS = 60_000;
const CHAIN_ID = "APPCHAIN_DEVNET";

/** A running Pathfinder. */
export interface Pathfinder {
  /** URL of its JSON-RPC 0.9. */
  readonly url: string;
  output(): string;
  stop(): Promise<void>;
}

/** Programs to run, from the variables `PATHFINDER` and `ANVIL`. */
export interface Programs {
  readonly pathfinder: string;
  readonly anvil: string;
}

/**
 * Starts Pathfinders with an anvil for the tests of the file, each with a separate data directory;
 * stops them after the tests.
 */
export function usePathfinders(programs: Programs): (gateway: string) => Promise<Pathfinder> {
  const folder = useFolder();
  const children: Bun.Subprocess[] = [];
  const spawn = (command: readonly string[]) => {
    const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    children.push(child);
    return child;
  };
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  let anvil: Promise<string> | undefined;
  return async (gateway) => {
    anvil ??= startAnvil(programs.anvil, spawn);
    const port = await freePort();
    const data = join(folder.path, String(port));
    mkdirSync(data);
    const child = spawn([
      programs.pathfinder,
      ...["--network", "custom", "--chain-id", CHAIN_ID],
      ...["--gateway-url", `${gateway}/gateway`],
      ...["--feeder-gateway-url", `${gateway}/feeder_gateway`],
      ...["--ethereum.url", await anvil, "--data-directory", data],
      ...["--http-rpc", `127.0.0.1:${port}`, "--storage.state-tries", "archive"],
      ...["--disable-version-update-check", "--color", "never"],
    ]);
    let output = "";
    const drain = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
      for await (const chunk of stream) output += new TextDecoder().decode(chunk);
    };
    void Promise.all([drain(child.stdout), drain(child.stderr)]);
    const url = `http://127.0.0.1:${port}/rpc/v0_9`;
    await untilServed(url, child, () => output);
    return {
      url,
      output: () => output,
      async stop() {
        child.kill("SIGKILL");
        await child.exited;
      },
    };
  };
}

/** Starts anvil. @returns its WebSocket URL */
async function startAnvil(
  program: string,
  spawn: (command: readonly string[]) => Bun.Subprocess,
): Promise<string> {
  const port = await freePort();
  const child = spawn([program, "--port", String(port), "--silent"]);
  await untilServed(`http://127.0.0.1:${port}`, child, () => "");
  return `ws://127.0.0.1:${port}`;
}

async function untilServed(
  url: string,
  child: Pick<Bun.Subprocess, "exitCode">,
  output: () => string,
): Promise<void> {
  const endsAtMs = Date.now() + START_TIMEOUT_MS;
  const asks = { method: "POST", headers: { "content-type": "application/json" }, body: "[]" };
  while (
    !(await fetch(url, asks).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > endsAtMs) {
      throw new TypeError(`it does not serve (exit code ${child.exitCode}):\n${output()}`);
    }
    await Bun.sleep(100);
  }
}

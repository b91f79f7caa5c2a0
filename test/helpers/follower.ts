import { afterAll } from "bun:test";
import { freePort, type RunningNode, startNode } from "./binary.ts";
import { type EndedCommand, runCommand } from "./run-binary.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts";

/** Start options of a full node. */
export interface FollowerOptions {
  /** Base URLs of the gateways that it follows, the preferred one first. */
  readonly gateways: readonly string[];
  /** Configuration file; by default the preset devnet. */
  readonly chainConfig?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A full node with a separate folder. Its members are those of the latest process. */
export interface UsedFollower extends RunningNode {
  readonly folder: TemporaryFolder;
  /** Starts the node in its folder, also again: with the first options by default. */
  start(options?: FollowerOptions): Promise<void>;
  /** Runs a process in its folder until it exits, whether or not it becomes ready. */
  runToEnd(options?: FollowerOptions): Promise<EndedCommand>;
}

/** A full node that the tests of the file or `describe` start; it is stopped after them. */
export function useFollower(): UsedFollower {
  const folder = temporaryFolder();
  let first: FollowerOptions | undefined;
  const optionsOf = (options: FollowerOptions | undefined): FollowerOptions => {
    first = options ?? first;
    if (first === undefined) throw new TypeError("nothing was said of how to start");
    return first;
  };
  const follower = {
    folder,
    async start(options) {
      Object.assign(follower, await startFollower(folder.path, optionsOf(options)));
    },
    runToEnd: (options) => runFollower(folder.path, optionsOf(options)),
    stop: () => Promise.resolve(0),
  } as UsedFollower;
  afterAll(async () => {
    await follower.stop();
    folder[Symbol.dispose]();
  });
  return follower;
}

/**
 * Starts `dist/appchain node` in a folder and waits until it responds, which may be before it is in
 * sync.
 */
export function startFollower(basePath: string, options: FollowerOptions): Promise<RunningNode> {
  const { args = [], env } = options;
  return startNode({
    basePath,
    command: followCommand(options),
    args,
    ...(env === undefined ? {} : { env }),
  });
}

async function runFollower(basePath: string, options: FollowerOptions): Promise<EndedCommand> {
  const { args = [], env } = options;
  const ports = [
    "--rpc-port",
    String(await freePort()),
    "--metrics-port",
    String(await freePort()),
  ];
  return runCommand(
    [...followCommand(options), "--base-path", basePath, ...ports, ...args],
    env ?? {},
  );
}

function followCommand({ gateways, chainConfig }: FollowerOptions): readonly string[] {
  return [
    "node",
    ...(chainConfig === undefined ? ["--preset", "devnet"] : ["--chain-config-path", chainConfig]),
    ...gateways.flatMap((url) => ["--gateway-url", url]),
  ];
}

/** Waits until a node has a block. @throws with its output */
export async function waitForBlock(
  node: Pick<RunningNode, "provider" | "output">,
  blockNumber: number,
  timeoutMs = 60_000,
): Promise<void> {
  const endsAtMs = Date.now() + timeoutMs;
  for (;;) {
    const newest = await node.provider.getBlockNumber().catch(() => -1);
    if (newest >= blockNumber) return;
    if (Date.now() > endsAtMs) {
      throw new TypeError(`it has block ${newest}, not ${blockNumber}:\n${node.output()}`);
    }
    await Bun.sleep(50);
  }
}

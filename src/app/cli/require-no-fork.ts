import { isJsonObject, type JsonValue } from "#base/codec/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { shownAddress } from "#base/primitives/index.ts";
import { type RpcChannel, RpcRefusal } from "#io/client/index.ts";

/** Method whose result says whether a node is a fork. Only development nodes serve it. */
const CONFIG_METHOD = "devnet_getConfig";

/**
 * Requires that a node's chain is no fork of another network: the state roots of a fork cannot be proven.
 * A node that refuses the method is no development node, and so no fork.
 *
 * @param what - what the command would do with the chain, for the message: "settled" or "replayed"
 * @throws {ConfigError} when it is a fork
 * @throws {NodeError} when the node does not answer
 */
export async function requireNoFork(
  channel: Pick<RpcChannel, "call">,
  url: string,
  what: string,
): Promise<void> {
  if (!isFork(await configOf(channel))) return;
  const { LOCAL_ROOTS } = await import("#app/node/index.ts");
  throw new ConfigError(
    `the chain of ${shownAddress(url)} is a fork and cannot be ${what}: ${LOCAL_ROOTS}`,
  );
}

async function configOf(channel: Pick<RpcChannel, "call">): Promise<JsonValue> {
  try {
    return await channel.call(CONFIG_METHOD, {});
  } catch (error) {
    if (error instanceof RpcRefusal) return null;
    throw error;
  }
}

/** Reads `fork_config`, whose `url` is null on a chain that is no fork. */
function isFork(config: JsonValue): boolean {
  if (!isJsonObject(config)) return false;
  const fork = config["fork_config"];
  return isJsonObject(fork) && typeof fork["url"] === "string";
}

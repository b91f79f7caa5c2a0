import { NodeError } from "#base/errors/index.ts";
import { shownAddress } from "#base/primitives/index.ts";
import type { NodeClient } from "#io/client/index.ts";

/** Specification versions that {@link NodeClient} supports. */
const SPEC_VERSION = /^0\.10\./;

/**
 * Requires a node to support JSON-RPC 0.10 at an address.
 *
 * @param what - what requires it, for the message
 * @throws {NodeError} when it does not, or does not answer
 */
export async function requireSpecVersion(
  node: Pick<NodeClient, "specVersion">,
  url: string,
  what: string,
): Promise<void> {
  const version = await node.specVersion();
  if (SPEC_VERSION.test(version)) return;
  throw new NodeError(
    "NODE_BAD_ANSWER",
    `${shownAddress(url)} supports JSON-RPC ${version.slice(0, 64)}; ${what} needs 0.10: add its path to the address, such as /rpc/v0_10`,
  );
}

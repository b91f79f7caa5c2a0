import { hexFromFelt, type Felt } from "#base/primitives/index.ts";
import type { NodeIdentity } from "../context.ts";
import { method } from "../method.ts";
import { FELT, list, record, texts } from "../spec/schemas/common.ts";

/** Katana's names for the kinds of a node. */
const CHAIN_KINDS = { development: "Dev", sequencer: "Rollup", full: "FullNode" } as const;

/** Value that Katana reports when build information is missing. */
const UNKNOWN = "unknown";

interface Identity extends NodeIdentity {
  readonly chainId: Felt;
}

/**
 * JSON-RPC method `node_getInfo`: version and chain of the node, in the form of Katana. Served for
 * every version of the specification, and part of none. Source: dojoengine/katana,
 * crates/rpc/rpc-types/src/node.rs.
 */
export const nodeGetInfo = method({
  name: "node_getInfo",
  family: "read",
  runsOn: "main",
  summary: "Version and chain of the node, in the form of Katana.",
  params: () => ({}),
  result:
    () =>
    ({ version, kind, chainId }: Identity) => ({
      version,
      gitSha: UNKNOWN,
      buildTimestamp: UNKNOWN,
      features: [],
      chainId: hexFromFelt(chainId),
      chainKind: CHAIN_KINDS[kind],
    }),
  answer: () =>
    record({
      version: { type: "string" },
      gitSha: { type: "string" },
      buildTimestamp: { type: "string" },
      features: list({ type: "string" }),
      chainId: FELT,
      chainKind: texts(...Object.values(CHAIN_KINDS)),
    }),
  errors: [],
  handler: ({ node, chainId }) => ({ ...node, chainId }),
});

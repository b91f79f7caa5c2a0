import { hexFromFelt } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import type { PendingBlock } from "#engine/state/index.ts";
import { COUNT, FELT, orNull, record, TEXT, texts } from "../../spec/schemas/common.ts";
import type { NodeStatus } from "../access.ts";
import { adminMethod } from "../admin-context.ts";

interface StatusAnswer {
  readonly node: NodeStatus;
  /** `undefined` before the first block. */
  readonly latest: BlockHeader | undefined;
  readonly pending: PendingBlock | undefined;
}

/**
 * JSON-RPC method `appchain_status`: status of the node: role, versions, newest block, block being
 * built, mempool, connections, uptime and memory.
 */
export const status = adminMethod({
  name: "appchain_status",
  family: "read",
  runsOn: "main",
  summary:
    "Status of the node: role, versions, newest block, block being built, mempool, connections, uptime and memory.",
  params: () => ({}),
  result: () => encodeStatus,
  answer: () =>
    record({
      role: texts("sequencer", "full"),
      name: TEXT,
      version: TEXT,
      protocol_version: TEXT,
      chain_id: FELT,
      latest_block: orNull(record({ block_number: COUNT, block_hash: FELT, timestamp: COUNT })),
      pre_confirmed_block: orNull(
        record({ block_number: COUNT, timestamp: COUNT, transaction_count: COUNT }),
      ),
      mempool: record({ waiting: COUNT, in_flight: COUNT }),
      open_connections: COUNT,
      uptime_seconds: COUNT,
      memory_bytes: COUNT,
    }),
  errors: [],
  async handler(context): Promise<StatusAnswer> {
    const node = await context.admin.status();
    const { chain } = context;
    return { node, latest: chain.header(chain.latestNumber() ?? -1), pending: context.pending() };
  },
});

function encodeStatus({ node, latest, pending }: StatusAnswer) {
  const { mempool } = node;
  return {
    role: node.role,
    name: node.name,
    version: node.version,
    protocol_version: node.protocolVersion,
    chain_id: hexFromFelt(node.chainId),
    latest_block:
      latest === undefined
        ? null
        : {
            block_number: latest.number,
            block_hash: hexFromFelt(latest.hash),
            timestamp: latest.timestamp,
          },
    pre_confirmed_block:
      pending === undefined
        ? null
        : {
            block_number: pending.info.number,
            timestamp: pending.info.timestamp,
            transaction_count: pending.transactions.length,
          },
    mempool: { waiting: mempool.waiting, in_flight: mempool.inFlight },
    open_connections: node.connections,
    uptime_seconds: node.uptimeSeconds,
    memory_bytes: node.memoryBytes,
  };
}

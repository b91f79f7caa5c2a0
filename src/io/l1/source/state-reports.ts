import { STATE_UPDATE_TOPIC } from "../contract/abi.ts";
import { readCoreState } from "../contract/core-reads.ts";
import { decodeLog } from "../contract/decode-log.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { addressHex } from "../endpoint/rpc-endpoint.ts";
import { type Members, members } from "../endpoint/values.ts";
import { readCoreLogs } from "../logs/core-logs.ts";
import type { L1Block, ReportedUpdates, StateReport, StateUpdateLog } from "../types.ts";
import type { Member } from "./member.ts";
import type { L1SourceOptions } from "./options.ts";
import type { EndpointPool } from "./pool.ts";

/** L1 block and transactions about which every endpoint is queried for state updates. */
export interface StateInquiry {
  readonly l1BlockNumber: number;
  /** Hashes of L1 transactions whose receipts to read. */
  readonly transactions: readonly bigint[];
}

type ContractOptions = Pick<L1SourceOptions, "coreContractAddress" | "limits">;

/**
 * Requests the core contract's state updates from every endpoint separately, including avoided ones
 * that may be tried again.
 */
export function readStateReports(
  pool: EndpointPool,
  options: ContractOptions,
  inquiry: StateInquiry,
): Promise<readonly StateReport[]> {
  return Promise.all(
    pool.members.map(async (member): Promise<StateReport> => {
      const { name, isAvoided, mayProbe, isWorthProbing, fault } = member;
      if (isAvoided && !mayProbe && !isWorthProbing) {
        return {
          kind: "silent",
          endpoint: name,
          reason: fault?.message ?? "it is avoided after a failure",
        };
      }
      try {
        await pool.checkChain(member);
        return await readStateReport(member, options, inquiry);
      } catch (cause) {
        pool.failed(member, cause);
        const reason = cause instanceof EndpointFault ? cause.message : "it failed";
        return { kind: "silent", endpoint: name, reason };
      }
    }),
  );
}

async function readStateReport(
  member: Member,
  options: ContractOptions,
  { l1BlockNumber, transactions }: StateInquiry,
): Promise<StateReport> {
  const { endpoint, name, ranges } = member;
  const [head, block] = await Promise.all([
    endpoint.block("latest"),
    endpoint.block(l1BlockNumber),
  ]);
  if (head === undefined || block === undefined) {
    return { kind: "silent", endpoint: name, reason: `it has no block ${l1BlockNumber}` };
  }
  const { coreContractAddress, limits } = options;
  const [logs, named] = await Promise.all([
    readCoreLogs(
      { endpoint, ranges, coreContractAddress, head, limits },
      l1BlockNumber,
      l1BlockNumber,
    ),
    namedUpdates(member, options, transactions),
  ]);
  const updates = logs.filter((log) => log.kind === "state_update");
  return withState(member, options, { l1BlockHash: block.hash, updates, named }, block, head);
}

/** Adds the state after the block, or the newest one if the endpoint has pruned it. */
async function withState(
  { endpoint, name }: Member,
  { coreContractAddress }: ContractOptions,
  reported: ReportedUpdates,
  block: L1Block,
  head: L1Block,
): Promise<StateReport> {
  const place = { endpoint, coreContractAddress };
  try {
    const core = await readCoreState({ ...place, blockNumber: block.number });
    return { kind: "read", endpoint: name, ...reported, core };
  } catch (cause) {
    const isPruned = cause instanceof EndpointFault && cause.kind === "refused";
    if (!isPruned || head.number <= block.number) throw cause;
    const newest = await readCoreState({ ...place, blockNumber: head.number });
    return { kind: "pruned", endpoint: name, ...reported, newest, newestL1Block: head.number };
  }
}

async function namedUpdates(
  { endpoint }: Member,
  { coreContractAddress }: ContractOptions,
  transactions: readonly bigint[],
): Promise<readonly StateUpdateLog[]> {
  const address = addressHex(coreContractAddress);
  const found: StateUpdateLog[] = [];
  for (const transaction of transactions) {
    for (const raw of await endpoint.receiptLogs(transaction)) {
      const fields = members(raw, "a log");
      if (!isStateUpdate(fields, address)) continue;
      const log = await decodeLog(fields);
      if (log.kind === "state_update") found.push(log);
    }
  }
  return found;
}

function isStateUpdate({ address, topics }: Members, wanted: string): boolean {
  const topic: unknown = Array.isArray(topics) ? topics[0] : undefined;
  return (
    typeof address === "string" &&
    address.toLowerCase() === wanted &&
    typeof topic === "string" &&
    topic.toLowerCase() === STATE_UPDATE_TOPIC
  );
}

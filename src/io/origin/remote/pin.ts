import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";
import { refused, unsupported, wrongAnswer } from "../errors.ts";
import type { OriginTask } from "../rpc/pending.ts";
import { readBlockList } from "./block-list.ts";
import type { OriginCaller } from "./caller.ts";
import { numberId } from "./calls.ts";
import { requireSameHash } from "./fork-blocks.ts";
import { readBlock } from "./read-block.ts";
import { isRefusal, RPC_CODES } from "./rpc-codes.ts";
import { type HashRule, requireBlockHash, type VerifiedBlock } from "./verify-block.ts";

/** Number of ancestors whose hashes the system contract 0x1 gives. */
const ANCESTORS = 10;

/** Ancestors read together: whole blocks must arrive within the deadline of one value. */
const GROUP = 5;

/** Oldest protocol version whose blocks a local chain can continue. */
const OLDEST_PROTOCOL = "0.13.0";

/** Fork block with its ancestors, as read at the first start. */
export interface PinnedChain {
  readonly block: VerifiedBlock;
  /** Headers of the ten blocks before it, or as many as exist, in ascending order. */
  readonly ancestors: readonly BlockHeader[];
  /** Numbers of the blocks whose hashes follow no rule that this program has, in ascending order. */
  readonly unverified: readonly number[];
}

/** Header whose hash was verified where its rule is known. */
interface CheckedHeader {
  readonly header: BlockHeader;
  readonly hashRule: HashRule;
}

/**
 * Reads the fork block and its ancestors, and verifies them.
 *
 * @param taskOf - creates the task of each block, with a separate deadline
 * @throws {OriginError} ORIGIN_UNSUPPORTED for a protocol before 0.13.0, ORIGIN_REFUSED when the origin lacks
 *   a block, ORIGIN_BAD_ANSWER when blocks are wrong or not linked, ORIGIN_CHANGED when the hash changes, and as `OriginCaller.read`
 */
export async function readPinned(
  caller: OriginCaller,
  fork: { readonly number: number; readonly hash: Felt },
  chainId: Felt,
  taskOf: (what: string) => OriginTask,
): Promise<PinnedChain> {
  const blockNumber = fork.number;
  const task = taskOf(`fork block ${blockNumber}`);
  const reading = readBlock(caller, numberId(blockNumber), chainId, task);
  const block = await orLacking(caller, blockNumber, reading);
  const { protocolVersion } = block.header;
  requireSameHash(caller.names, blockNumber, fork.hash, block.header.hash);
  if (compareProtocolVersions(protocolVersion, OLDEST_PROTOCOL) < 0) {
    throw unsupported(
      `block ${blockNumber} of ${caller.names} has protocol version ${protocolVersion || "before 0.9.1"}; a fork needs ${OLDEST_PROTOCOL} or newer: choose a newer block`,
    );
  }
  const first = Math.max(0, blockNumber - ANCESTORS);
  const numbers = Array.from({ length: blockNumber - first }, (_, index) => first + index);
  const checked: CheckedHeader[] = [];
  for (let at = 0; at < numbers.length; at += GROUP) {
    const group = numbers.slice(at, at + GROUP).map((number) => {
      const ancestor = taskOf(`ancestor block ${number}`);
      return orLacking(caller, number, readHeader(caller, number, chainId, ancestor));
    });
    checked.push(...(await Promise.all(group)));
  }
  const ancestors = checked.map(({ header }) => header);
  requireLinks(caller.names, [...ancestors, block.header]);
  const unverified = [...checked, block].filter(({ hashRule }) => hashRule === "unknown");
  return { block, ancestors, unverified: unverified.map(({ header }) => header.number) };
}

/** Reads a header; with the whole block when the header lacks its commitments. */
async function readHeader(
  caller: OriginCaller,
  blockNumber: number,
  chainId: Felt,
  task: OriginTask,
): Promise<CheckedHeader> {
  const id = numberId(blockNumber);
  const { head, commitments } = await readBlockList(caller, id, task);
  if (commitments === undefined) return readBlock(caller, id, chainId, task);
  const header = { ...head, ...commitments };
  return {
    header,
    hashRule: requireBlockHash(header, chainId, { commitments, name: caller.names }),
  };
}

function requireLinks(names: string, headers: readonly BlockHeader[]): void {
  for (const [index, header] of headers.entries()) {
    const parent = headers[index - 1];
    if (parent === undefined || parent.hash === header.parentHash) continue;
    const [named, found] = [hexFromFelt(header.parentHash), hexFromFelt(parent.hash)];
    throw wrongAnswer(
      `${names}: block ${header.number} names the parent ${named}, but block ${parent.number} has hash ${found}`,
    );
  }
}

async function orLacking<T>(
  caller: OriginCaller,
  blockNumber: number,
  reading: Promise<T>,
): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!isRefusal(error, RPC_CODES.blockNotFound)) throw error;
    throw refused(`${caller.names} does not have block ${blockNumber}: ${error.message}`, error);
  }
}

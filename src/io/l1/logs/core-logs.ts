import { decodeLog } from "../contract/decode-log.ts";
import { MESSAGE_TOPIC, STATE_UPDATE_TOPIC } from "../contract/abi.ts";
import { contradiction, EndpointFault } from "../endpoint/fault.ts";
import { addressHex, type RpcEndpoint } from "../endpoint/rpc-endpoint.ts";
import { turn } from "../endpoint/turn.ts";
import { type Members, members } from "../endpoint/values.ts";
import { LOG_WORDS, type L1Limits } from "../limits.ts";
import type { CoreContractLog, L1Address, L1Block } from "../types.ts";
import type { RangeReader } from "./range-reader.ts";

const TURN_LOGS = 256;

/**
 * Number of blocks below the head in which the block of every log is compared with the chain. Deeper down,
 * where reorgs do not happen, only the first and last blocks of a response are.
 */
const CHECKED_BLOCKS = 256;

/** Dependencies of {@link readCoreLogs}. */
export interface CoreLogsOptions {
  readonly endpoint: RpcEndpoint;
  readonly ranges: RangeReader;
  readonly coreContractAddress: L1Address;
  /** Newest block reported by the endpoint. */
  readonly head: L1Block;
  readonly limits: Pick<L1Limits, "maxLogWords">;
}

/**
 * Reads logs of the core contract from one block through another, in order. Checks that their blocks are part
 * of the endpoint's chain.
 *
 * @throws {EndpointFault} when it returns no logs, or logs that cannot be true
 */
export async function readCoreLogs(
  options: CoreLogsOptions,
  from: number,
  to: number,
): Promise<readonly CoreContractLog[]> {
  const { endpoint, ranges, coreContractAddress } = options;
  const { maxLogWords } = options.limits;
  const topics = [STATE_UPDATE_TOPIC, MESSAGE_TOPIC];
  const found: CoreContractLog[] = [];
  let words = 0;
  await ranges.each(
    from,
    to,
    async (first, last) => {
      const logs = await endpoint.logs(coreContractAddress, topics, first, last);
      return decoded(options, logs, first, last);
    },
    async (logs) => {
      await checkBlocks(options, logs);
      for (const log of logs) {
        found.push(log);
        words += LOG_WORDS + (log.kind === "message_to_l2" ? log.payload.length : 0);
      }
      if (words > maxLogWords) {
        const message = `${endpoint.name} returns more logs of blocks ${from} to ${to} than fit into memory`;
        throw new EndpointFault("too_long", message);
      }
    },
  );
  checkNonces(endpoint.name, found);
  return found;
}

async function decoded(
  { endpoint, coreContractAddress }: CoreLogsOptions,
  logs: readonly unknown[],
  first: number,
  last: number,
): Promise<readonly CoreContractLog[]> {
  const address = addressHex(coreContractAddress);
  const found: CoreContractLog[] = [];
  for (const [index, raw] of logs.entries()) {
    if (index > 0 && index % TURN_LOGS === 0) await turn();
    const fields = members(raw, "a log");
    checkOrigin(endpoint.name, address, fields);
    const log = await decodeLog(fields);
    const { number } = log.l1Block;
    if (number < first || number > last) {
      throw contradiction(
        `${endpoint.name} returns a log of block ${number}, which was not requested`,
      );
    }
    checkOrder(endpoint.name, found.at(-1), log);
    found.push(log);
  }
  return found;
}

function checkOrigin(name: string, wanted: string, { address, removed }: Members): void {
  if (typeof address !== "string" || address.toLowerCase() !== wanted) {
    throw contradiction(`${name} returns a log of another contract`);
  }
  if (removed === true) throw contradiction(`${name} returns a log marked as removed`);
}

function checkOrder(name: string, before: CoreContractLog | undefined, log: CoreContractLog): void {
  if (before === undefined) return;
  const { l1Block, logIndex } = log;
  const isSame = before.l1Block.number === l1Block.number;
  const isLater = isSame ? before.logIndex < logIndex : before.l1Block.number < l1Block.number;
  if (!isLater) throw contradiction(`${name} returns logs out of order, or twice`);
  if (isSame && before.l1Block.hash !== l1Block.hash) {
    throw contradiction(`${name} returns two hashes of block ${l1Block.number}`);
  }
}

/** The contract numbers its messages consecutively, so a gap means an omitted log. */
function checkNonces(name: string, logs: readonly CoreContractLog[]): void {
  let next: bigint | undefined;
  for (const log of logs) {
    if (log.kind !== "message_to_l2") continue;
    if (next !== undefined && log.nonce !== next) {
      throw contradiction(`${name} returns message ${log.nonce} instead of ${next}`);
    }
    next = log.nonce + 1n;
  }
}

async function checkBlocks(
  { endpoint, head }: CoreLogsOptions,
  logs: readonly CoreContractLog[],
): Promise<void> {
  const hashes = new Map(logs.map(({ l1Block }) => [l1Block.number, l1Block.hash]));
  const all = [...hashes];
  const near = all.filter(([number]) => number > head.number - CHECKED_BLOCKS);
  const ends = [all.at(0), all.at(-1)].filter((each) => each !== undefined);
  const checked = new Map([...ends, ...near]);
  await Promise.all(
    [...checked].map(async ([number, hash]) => {
      const block = await endpoint.block(number);
      if (block?.hash === hash) return;
      throw contradiction(
        `${endpoint.name} returns logs of a block ${number} that is not in its chain`,
      );
    }),
  );
}

import {
  encodeAbiParameters,
  encodeEventTopics,
  keccak256,
  numberToHex,
  parseAbi,
  toHex,
} from "viem";
import type { Hex } from "viem";

/** Address of the core contract on {@link FakeL1}. */
export const FAKE_CORE = 0xc0de_c0de_c0de_c0de_c0de_c0de_c0de_c0de_c0de_c0den;

const CORE_HEX = toHex(FAKE_CORE, { size: 20 });

const EVENTS = parseAbi([
  "event LogStateUpdate(uint256 globalRoot, int256 blockNumber, uint256 blockHash)",
  "event LogMessageToL2(address indexed fromAddress, uint256 indexed toAddress, uint256 indexed selector, uint256[] payload, uint256 nonce, uint256 fee)",
]);

/** Selectors of the getters: the first four bytes of Keccak-256 over the signature. */
const GETTERS = new Map(
  [
    "stateRoot()",
    "stateBlockNumber()",
    "stateBlockHash()",
    "l1ToL2MessageNonce()",
    "l1ToL2Messages(bytes32)",
    "l1ToL2MessageCancellations(bytes32)",
  ].map((signature) => [keccak256(toHex(signature)).slice(0, 10), signature]),
);

/** Log to be added to a block of a {@link FakeL1}. */
export interface FakeLog {
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** A message of {@link FakeL1}; missing members have default values. */
export interface FakeMessage {
  readonly fromAddress?: bigint;
  readonly toAddress?: bigint;
  readonly selector?: bigint;
  readonly payload?: readonly bigint[];
  readonly nonce: bigint;
  readonly feeWei?: bigint;
}

/** `LogStateUpdate` in Solidity's encoding. */
export function stateUpdateLog(root: bigint, blockNumber: bigint, blockHash: bigint): FakeLog {
  return {
    topics: encodeEventTopics({ abi: EVENTS, eventName: "LogStateUpdate" }) as Hex[],
    data: encodeAbiParameters(
      [{ type: "uint256" }, { type: "int256" }, { type: "uint256" }],
      [root, blockNumber, blockHash],
    ),
  };
}

/** `LogMessageToL2` in Solidity's encoding. */
export function messageLog({
  fromAddress = 0xabcn,
  toAddress = 0x2n,
  selector = 0x3n,
  payload = [],
  nonce,
  feeWei = 1n,
}: FakeMessage): FakeLog {
  const args = { fromAddress: toHex(fromAddress, { size: 20 }), toAddress, selector };
  return {
    topics: encodeEventTopics({ abi: EVENTS, eventName: "LogMessageToL2", args }) as Hex[],
    data: encodeAbiParameters(
      [{ type: "uint256[]" }, { type: "uint256" }, { type: "uint256" }],
      [payload, nonce, feeWei],
    ),
  };
}

interface FakeBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: number;
  readonly logs: readonly FakeLog[];
}

/** JSON-RPC error that a {@link FakeL1} returns in place of a result. */
export class FakeRefusal {
  readonly code: number;
  readonly message: string;

  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

/** A fake chain: blocks and logs set by the test, served over JSON-RPC. */
export class FakeL1 {
  chainId = 31_337;
  /** Seconds between blocks. */
  blockSeconds = 12;
  safeNumber: number | undefined;
  finalizedNumber: number | undefined;
  /** Block from which on the core contract's address has code. */
  deployedAt = 0;
  /** Values of the getters, by signature, or by signature and key. */
  readonly getters = new Map<string, bigint>();
  baseFees: readonly bigint[] = [7n, 8n];
  blobBaseFees: readonly bigint[] | undefined = [1n, 2n, 6n];
  /** Replaces responses. */
  intercept: (method: string, params: readonly unknown[]) => unknown = () => undefined;
  #fork = 0;
  #blocks: FakeBlock[] = [];

  constructor(blocks = 1) {
    this.mine(blocks);
  }

  get head(): FakeBlock {
    return this.block(this.#blocks.length - 1);
  }

  block(number: number): FakeBlock {
    const block = this.#blocks[number];
    if (block === undefined) throw new RangeError(`no block ${number}`);
    return block;
  }

  /** Adds blocks; the first one has the logs. */
  mine(count = 1, logs: readonly FakeLog[] = []): void {
    for (let i = 0; i < count; i++) {
      const number = this.#blocks.length;
      const parentHash = this.#blocks.at(-1)?.hash ?? toHex(0, { size: 32 });
      this.#blocks.push({
        number,
        hash: keccak256(toHex(`${parentHash} ${number} ${this.#fork}`)),
        parentHash,
        timestamp: 1_000_000 + number * this.blockSeconds,
        logs: i === 0 ? logs : [],
      });
    }
  }

  /** Replaces the newest blocks by as many empty ones. */
  reorg(depth: number): void {
    this.#fork++;
    this.#blocks = this.#blocks.slice(0, -depth);
    this.mine(depth);
  }

  /** Removes the newest blocks. */
  rollBack(count: number): void {
    this.#blocks = this.#blocks.slice(0, -count);
  }

  /** A copy of the chain that diverges from now on. */
  fork(): FakeL1 {
    const other = new FakeL1(0);
    other.#blocks = [...this.#blocks];
    other.#fork = this.#fork + 1000;
    return other;
  }

  answer(method: string, params: readonly unknown[]): unknown {
    const instead = this.intercept(method, params);
    if (instead !== undefined) return instead;
    switch (method) {
      case "eth_chainId":
        return numberToHex(this.chainId);
      case "eth_getBlockByNumber":
        return this.#blockJson(params[0] as string);
      case "eth_getCode":
        return this.#isDeployed(params[1] as string) ? "0x60" : "0x";
      case "eth_call":
        return this.#call(
          params[0] as { readonly to?: Hex; readonly data: Hex },
          params[1] as string,
        );
      case "eth_getLogs":
        return this.#logsJson(params[0] as LogFilter);
      case "eth_getTransactionReceipt":
        return this.#receiptJson(params[0] as string);
      case "eth_feeHistory":
        return {
          baseFeePerGas: this.baseFees.map((fee) => numberToHex(fee)),
          ...(this.blobBaseFees && {
            baseFeePerBlobGas: this.blobBaseFees.map((fee) => numberToHex(fee)),
          }),
        };
      default:
        return new FakeRefusal(-32_601, "method not found");
    }
  }

  #blockJson(which: string): unknown {
    const number = this.#number(which);
    if (number === undefined) return new FakeRefusal(-39_001, `${which} block not found`);
    const block = this.#blocks[number];
    if (block === undefined) return null;
    const { hash, parentHash, timestamp } = block;
    return {
      number: numberToHex(number),
      hash,
      parentHash,
      timestamp: numberToHex(timestamp),
      transactions: [],
    };
  }

  #number(which: string): number | undefined {
    if (which === "latest") return this.#blocks.length - 1;
    if (which === "safe") return this.safeNumber;
    if (which === "finalized") return this.finalizedNumber;
    return Number(which);
  }

  #isDeployed(which: string): boolean {
    return (this.#number(which) ?? 0) >= this.deployedAt;
  }

  #call({ to, data }: { readonly to?: Hex; readonly data: Hex }, which: string): unknown {
    // There is no EVM to run code.
    if (to === undefined) return new FakeRefusal(3, "execution reverted");
    if (to.toLowerCase() !== CORE_HEX || !this.#isDeployed(which)) return "0x";
    const signature = GETTERS.get(data.slice(0, 10));
    if (signature === undefined) return new FakeRefusal(3, "execution reverted");
    const key = data.length > 10 ? `${signature} ${BigInt(`0x${data.slice(10)}`)}` : signature;
    const value = this.getters.get(key) ?? (signature === "stateBlockNumber()" ? -1n : 0n);
    return toHex(BigInt.asUintN(256, value), { size: 32 });
  }

  #receiptJson(transactionHash: string): unknown {
    const logs = this.#blocks.flatMap((block) => logsOf(block));
    const own = logs.filter((log) => log.transactionHash === transactionHash);
    return own.length === 0 ? null : { transactionHash, logs: own };
  }

  #logsJson({ address, topics: [names], fromBlock, toBlock }: LogFilter): unknown {
    if (address.toLowerCase() !== CORE_HEX) return [];
    const from = Number(fromBlock);
    return this.#blocks
      .slice(from, Number(toBlock) + 1)
      .flatMap((block) =>
        logsOf(block).filter(({ topics: [name] }) => name !== undefined && names.includes(name)),
      );
  }
}

function logsOf(block: FakeBlock) {
  return block.logs.map(({ topics, data }, logIndex) => ({
    address: CORE_HEX,
    topics,
    data,
    blockNumber: numberToHex(block.number),
    blockHash: block.hash,
    transactionHash: keccak256(toHex(`${block.hash} ${logIndex}`)),
    transactionIndex: numberToHex(logIndex),
    logIndex: numberToHex(logIndex),
    removed: false,
  }));
}

interface LogFilter {
  readonly address: string;
  readonly topics: readonly [readonly string[]];
  readonly fromBlock: string;
  readonly toBlock: string;
}

/** Serves a fake L1 on a free port of the local host. */
export function serveFakeL1(l1: FakeL1): AsyncDisposable & { readonly url: string } {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { id, method, params } = (await request.json()) as {
        readonly id: number;
        readonly method: string;
        readonly params: readonly unknown[];
      };
      const said = l1.answer(method, params);
      if (said instanceof Response) return said;
      const outcome =
        said instanceof FakeRefusal
          ? { error: { code: said.code, message: said.message } }
          : { result: said };
      return Response.json({ jsonrpc: "2.0", id, ...outcome });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

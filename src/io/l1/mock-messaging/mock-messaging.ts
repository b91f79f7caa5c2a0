import { encodeDeployData, encodeFunctionData, type Hex, parseAbi } from "viem";
import { L1Error } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { MessageToL1 } from "#protocol/chain/index.ts";
import { addressText, L1Account } from "../account/l1-account.ts";
import { type Endpoint, endpointOf } from "#io/http/index.ts";
import { EndpointFault, nonsense } from "../endpoint/fault.ts";
import { RpcEndpoint } from "../endpoint/rpc-endpoint.ts";
import type { L1Limits } from "../limits.ts";
import { readCoreLogs } from "../logs/core-logs.ts";
import { RangeReader } from "../logs/range-reader.ts";
import type { L1Address, L1BlockId, MessageLog } from "../types.ts";

/** Settings of a messaging contract for development. */
export interface MockMessagingOptions {
  /** URL of L1's JSON-RPC, with the scheme `http` or `https`. */
  readonly url: string;
  /** Contract to use; `undefined` to deploy one. */
  readonly address: L1Address | undefined;
  /** Private key of the account that deploys and sends: `0x` and 64 hex digits. */
  readonly privateKey: Hex;
  /** Deployment code of the contract, without constructor arguments. */
  readonly bytecode: Hex;
  /** Time limit of one method call in milliseconds; one more request may be in flight at that time. */
  readonly timeoutMs: number;
  readonly limits: L1Limits;
  readonly timer: Timer;
  /** Aborts all requests. */
  readonly signal: AbortSignal;
}

const ABI = parseAbi([
  "constructor(uint256 messageCancellationDelay)",
  "function mockSendMessageFromL2(uint256 fromAddress, uint256 toAddress, uint256[] payload)",
]);

/** Minimum time between start and end of a cancellation in a deployed contract; same as starknet-devnet. */
const CANCELLATION_DELAY_SECONDS = 86_400n;

/** Names of transactions in errors. */
const DEPLOYMENT = "the deployment of the messaging contract";
const MESSAGE = "a message to L1";

/** Chains on which a contract that accepts unproven messages must not be used. */
const PUBLIC_CHAINS: ReadonlyMap<number, string> = new Map([[1, "Ethereum's mainnet"]]);

/** Number of messages sent to L1, and the reason why some are missing. */
export interface SentMessages {
  /** Number of leading messages that were sent; they are included in blocks or pending. */
  readonly count: number;
  /** `undefined` if all of them are included in blocks. */
  readonly error: L1Error | undefined;
}

/** Messaging contract for development on an L1: it accepts messages of L2 without proof. */
export class MockMessaging {
  readonly address: L1Address;
  readonly #options: MockMessagingOptions;
  readonly #place: Endpoint;
  readonly #endpoint: RpcEndpoint;
  readonly #account: L1Account;
  readonly #ranges: RangeReader;
  readonly #chainId: number;
  /** Newest block whose messages were all returned by {@link take}. */
  #position: L1BlockId;
  /** Nonce of the next message to return; `undefined` until the first one. */
  #nextNonce: bigint | undefined;

  /**
   * Uses an existing contract, or deploys one. Messages to L2 that it already has are skipped.
   *
   * @throws {L1Error} when L1 gives no usable response, is a public chain, or lacks the contract
   */
  static async open(options: MockMessagingOptions): Promise<MockMessaging> {
    const { url, limits, timer, signal, privateKey, address, timeoutMs } = options;
    const place = endpointOf(url, []);
    const connection = { address: place, limits, timer, signal };
    const endpoint = new RpcEndpoint(connection);
    const chainId = await endpoint.chainId();
    const known = PUBLIC_CHAINS.get(chainId);
    if (known !== undefined) {
      const message = `${place.name} serves chain ${chainId}, ${known}, where messages of a development chain are not allowed`;
      throw new L1Error("L1_PUBLIC_CHAIN", message, false);
    }
    const sending = { url, key: privateKey, limits, transactionMs: timeoutMs, timer, signal };
    const account = new L1Account(sending);
    const endMs = timer.nowMs() + timeoutMs;
    const contract = address ?? (await deploy(account, options.bytecode, endMs));
    if ((await endpoint.code(contract, "latest")) === "0x") {
      const message = `The specified address (${addressText(contract)}) contains no contract`;
      throw new L1Error("L1_NO_CONTRACT", message, false);
    }
    const head = await endpoint.block("latest");
    if (head === undefined) throw nonsense(`${place.name} has no newest block`);
    return new MockMessaging(options, { place, endpoint, account, chainId, contract, head });
  }

  private constructor(
    options: MockMessagingOptions,
    found: {
      readonly place: Endpoint;
      readonly endpoint: RpcEndpoint;
      readonly account: L1Account;
      readonly chainId: number;
      readonly contract: L1Address;
      readonly head: L1BlockId;
    },
  ) {
    this.#options = options;
    this.#place = found.place;
    this.#endpoint = found.endpoint;
    this.#account = found.account;
    this.#chainId = found.chainId;
    this.address = found.contract;
    this.#position = found.head;
    this.#ranges = new RangeReader(options.limits);
  }

  /** Scheme, host and port of L1. */
  get name(): string {
    return this.#place.name;
  }

  /**
   * Returns the messages to L2 since the last call, in order.
   *
   * @param max - maximum number; the next call returns the rest
   * @throws {L1Error} when L1 fails, or is not the same chain as before
   */
  async take(max: number): Promise<readonly MessageLog[]> {
    const { timer, timeoutMs, limits } = this.#options;
    const endMs = timer.nowMs() + timeoutMs;
    const head = await this.#checkedHead();
    const found: MessageLog[] = [];
    while (this.#position.number < head.number && found.length < max && timer.nowMs() < endMs) {
      const from = this.#position.number + 1;
      const to = Math.min(head.number, this.#position.number + limits.maxRangeBlocks);
      const end = to === head.number ? head : await this.#endpoint.block(to);
      if (end === undefined) throw this.#chainChanged(`it has no block ${to}`);
      const logs = await readCoreLogs(
        {
          endpoint: this.#endpoint,
          ranges: this.#ranges,
          coreContractAddress: this.address,
          limits,
          head,
        },
        from,
        to,
      );
      const remaining = logs.filter((log) => log.kind === "message_to_l2").filter(this.#isNew);
      const selected = remaining.slice(0, max - found.length);
      found.push(...selected);
      const last = selected.at(-1);
      if (last !== undefined) this.#nextNonce = last.nonce + 1n;
      if (selected.length === remaining.length) this.#position = end;
      else break;
    }
    return found;
  }

  /** Sends messages of L2 to L1, in order, and waits for their inclusion in blocks. */
  async send(messages: readonly MessageToL1[]): Promise<SentMessages> {
    const { timer, timeoutMs } = this.#options;
    const endMs = timer.nowMs() + timeoutMs;
    const to = addressText(this.address);
    const hashes: Hex[] = [];
    let error: L1Error | undefined;
    try {
      let nonce = messages.length === 0 ? 0 : await this.#account.freeNonce();
      for (const message of messages) {
        if (timer.nowMs() > endMs) break;
        const sending = { to, input: inputOf(message), nonce: nonce++ };
        hashes.push(await this.#account.submit(sending, MESSAGE));
      }
      for (const hash of hashes) await this.#account.succeeded(hash, MESSAGE, endMs);
    } catch (cause) {
      if (!(cause instanceof L1Error)) throw cause;
      error = cause;
    }
    return { count: hashes.length, error };
  }

  readonly #isNew = ({ nonce }: MessageLog): boolean =>
    this.#nextNonce === undefined || nonce >= this.#nextNonce;

  async #checkedHead() {
    const chainId = await this.#endpoint.chainId();
    if (chainId !== this.#chainId) throw this.#chainChanged(`its chain id is ${chainId} now`);
    const head = await this.#endpoint.block("latest");
    const { number, hash } = this.#position;
    if (head === undefined) throw this.#chainChanged("it has no newest block");
    const block = head.number === number ? head : await this.#endpoint.block(number);
    if (block?.hash !== hash) throw this.#chainChanged(`its block ${number} is gone`);
    return head;
  }

  #chainChanged(reason: string): L1Error {
    const message = `${this.name} is no longer the same chain (${reason}): load the messaging contract again`;
    return new EndpointFault("other_chain", message);
  }
}

async function deploy(account: L1Account, bytecode: Hex, endMs: number): Promise<L1Address> {
  const nonce = await account.freeNonce();
  const input = encodeDeployData({ abi: ABI, bytecode, args: [CANCELLATION_DELAY_SECONDS] });
  const hash = await account.submit({ to: undefined, input, nonce }, DEPLOYMENT);
  await account.succeeded(hash, DEPLOYMENT, endMs);
  return BigInt(account.deployedAt(nonce));
}

function inputOf({ fromAddress, toAddress, payload }: MessageToL1): Hex {
  const args = [fromAddress, toAddress, payload] as const;
  return encodeFunctionData({ abi: ABI, functionName: "mockSendMessageFromL2", args });
}

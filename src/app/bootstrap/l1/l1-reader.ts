import {
  type Abi,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  createPublicClient,
  custom,
  defineChain,
  type PublicClient,
} from "viem";
import { BootstrapError } from "#base/errors/index.ts";
import { METHOD_NOT_FOUND, RpcFault, type RpcNode, shown } from "../net/json-rpc.ts";
import type { Hex } from "../settings/forms.ts";
import { type L1ContractName, l1Artifact } from "./artifacts.ts";

/** A call of a contract function on L1. */
export interface L1Call {
  readonly address: Hex;
  readonly contract: L1ContractName;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** Result of an executed L1 transaction. */
export interface L1Receipt {
  readonly isSuccess: boolean;
  /** Unverified, as the node sent them. */
  readonly logs: readonly unknown[];
}

/** Error code of a reverted call. Source: geth, which other nodes follow. */
const EXECUTION_REVERTED = 3;

/** Reads L1, always at its newest block. */
export class L1Reader {
  protected readonly node: RpcNode;
  protected readonly client: PublicClient;

  constructor(node: RpcNode, chainId: number) {
    this.node = node;
    const provider = {
      request: ({ method, params }: { method: string; params?: unknown }) =>
        node.call(method, params ?? []),
    };
    this.client = createPublicClient({
      chain: defineChain({
        id: chainId,
        name: "L1",
        nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
        rpcUrls: { default: { http: [] } },
      }),
      transport: custom(provider, { retryCount: 0 }),
    });
  }

  chainId(): Promise<number> {
    return this.attempt("the chain id", () => this.client.getChainId());
  }

  /** Hash of block 0; `null` if the node no longer has it. */
  async genesisHash(): Promise<string | null> {
    const block = await this.attempt("block 0", () =>
      this.client.request({ method: "eth_getBlockByNumber", params: ["0x0", false] }),
    );
    if (block === null) return null;
    const hash: unknown = block.hash;
    if (typeof hash === "string" && /^0x[0-9a-f]{64}$/.test(hash)) return hash;
    throw this.node.nonsense("does not return the hash of block 0");
  }

  async hasCode(address: Hex): Promise<boolean> {
    const code = await this.attempt(`the code at ${address}`, () =>
      this.client.getCode({ address }),
    );
    return code !== undefined && code !== "0x";
  }

  /** Returns a function's result; `undefined` when the contract does not exist or the call reverts. */
  async read(call: L1Call): Promise<unknown> {
    const { address, contract, functionName, args } = call;
    const { abi } = l1Artifact(contract);
    return this.attempt(functionName, async () => {
      try {
        return await this.client.readContract({ address, abi, functionName, args });
      } catch (cause) {
        if (isAbsent(cause)) return undefined;
        throw cause;
      }
    });
  }

  /** Variant of {@link read} for a contract with any ABI; throws when the call fails. */
  readForeign(address: Hex, abi: Abi, functionName: string): Promise<unknown> {
    return this.attempt(functionName, () =>
      this.client.readContract({ address, abi, functionName, args: [] }),
    );
  }

  /** Returns how a transaction was executed; `undefined` while it is in no block. */
  receipt(hash: Hex, what: string): Promise<L1Receipt | undefined> {
    return this.attempt(what, async () => {
      const receipt: unknown = await this.client.request({
        method: "eth_getTransactionReceipt",
        params: [hash],
      });
      if (typeof receipt !== "object" || receipt === null) return undefined;
      const { status, logs, transactionHash } = receipt as Readonly<Record<string, unknown>>;
      if (status === undefined || (transactionHash ?? hash) !== hash) {
        throw this.node.nonsense(`answers for ${what} with another receipt`);
      }
      return { isSuccess: status === "0x1", logs: Array.isArray(logs) ? logs : [] };
    });
  }

  /** Runs a request, and shortens viem's errors to the reason: their text includes whole transactions. */
  protected async attempt<T>(what: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (cause) {
      if (cause instanceof BootstrapError) throw cause;
      if (!(cause instanceof BaseError)) {
        throw this.node.nonsense(`does not answer for ${what} like an L1 node`);
      }
      const own = cause.walk((inner) => inner instanceof BootstrapError);
      // For a refused call keep viem's error, which names the call.
      if (own instanceof BootstrapError && (isUnreachable(own) || isUnknown(own))) throw own;
      const said = own instanceof Error ? own.message : cause.shortMessage;
      throw new BootstrapError("BOOTSTRAP_L1", `${what} failed: ${shown(said)}`);
    }
  }
}

function isUnknown(cause: BootstrapError): boolean {
  return cause instanceof RpcFault && cause.rpcCode === METHOD_NOT_FOUND;
}

/** Whether a node did not answer, or not with a valid response. */
export function isUnreachable(cause: unknown): boolean {
  return cause instanceof BootstrapError && cause.code !== "BOOTSTRAP_REFUSED";
}

/**
 * Whether the contract reverted the call, rather than the node refusing it. Most nodes use code 3, others
 * only a text.
 */
function isRevert({ rpcCode, message }: RpcFault): boolean {
  return rpcCode === EXECUTION_REVERTED || /\brevert/i.test(message);
}

function isAbsent(cause: unknown): boolean {
  return (
    cause instanceof BaseError &&
    cause.walk(
      (inner) =>
        inner instanceof ContractFunctionZeroDataError ||
        inner instanceof ContractFunctionRevertedError ||
        (inner instanceof RpcFault && isRevert(inner)),
    ) !== null
  );
}

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

/** A function of a contract on L1, and what it is called with. */
export interface L1Call {
  readonly address: Hex;
  readonly contract: L1ContractName;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** How a transaction of L1 was executed. */
export interface L1Receipt {
  readonly isSuccess: boolean;
  /** Unverified, as the node sent them. */
  readonly logs: readonly unknown[];
}

/** Code of the error of a call that reverts. Source: geth, which others follow. */
const EXECUTION_REVERTED = 3;

/** What is looked at on L1, always at its newest block. */
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
    throw this.node.nonsense("does not tell the hash of block 0");
  }

  async hasCode(address: Hex): Promise<boolean> {
    const code = await this.attempt(`the code at ${address}`, () =>
      this.client.getCode({ address }),
    );
    return code !== undefined && code !== "0x";
  }

  /** What a function gives; `undefined` where no such contract is, or it fails. */
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

  /** {@link read} of any contract. */
  readForeign(address: Hex, abi: Abi, functionName: string): Promise<unknown> {
    return this.attempt(functionName, () =>
      this.client.readContract({ address, abi, functionName, args: [] }),
    );
  }

  /** How a transaction was executed; `undefined`: it is in no block. */
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

  /** What viem throws has whole transactions in its text: what is shown is the reason alone. */
  protected async attempt<T>(what: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (cause) {
      if (cause instanceof BootstrapError) throw cause;
      if (!(cause instanceof BaseError)) {
        throw this.node.nonsense(`does not answer for ${what} as a node of L1 does`);
      }
      const own = cause.walk((inner) => inner instanceof BootstrapError);
      // A call that was refused is told with what was called, by viem.
      if (own instanceof BootstrapError && (isUnreachable(own) || isUnknown(own))) throw own;
      const said = own instanceof Error ? own.message : cause.shortMessage;
      throw new BootstrapError("BOOTSTRAP_L1", `${what} failed: ${shown(said)}`);
    }
  }
}

function isUnknown(cause: BootstrapError): boolean {
  return cause instanceof RpcFault && cause.rpcCode === METHOD_NOT_FOUND;
}

/** A node that did not answer, or not with what was asked. */
export function isUnreachable(cause: unknown): boolean {
  return cause instanceof BootstrapError && cause.code !== "BOOTSTRAP_REFUSED";
}

/** The contract refuses the call, which the node did not: most have code 3 for that, others a text alone. */
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

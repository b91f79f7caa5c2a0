import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createWalletClient,
  type Hex,
  http,
  parseEventLogs,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { ANVIL_KEY, ANVIL_OTHER_KEYS, type RunningAnvil } from "./anvil.ts";

/** Accounts of tests, by their index in anvil's list. */
export const L1_ACCOUNTS = ([ANVIL_KEY, ...ANVIL_OTHER_KEYS] as const).map((key) =>
  privateKeyToAccount(key),
);

/** Account of {@link L1_ACCOUNTS} by index. */
export function l1Account(index: number) {
  const account = L1_ACCOUNTS[index];
  if (account === undefined) throw new RangeError(`there is no account ${index}`);
  return account;
}

/** Address of one of {@link L1_ACCOUNTS}. */
export function l1Address(index: number): Address {
  return l1Account(index).address;
}

/** Sender, by index in {@link L1_ACCOUNTS} (default the first), and amount in wei. */
export interface L1CallOptions {
  readonly from?: number;
  readonly value?: bigint;
}

/** A logged event of a transaction. */
export interface L1Event {
  readonly eventName: string;
  readonly args: unknown;
}

/** A contract on anvil with calls by name, and failures as text. */
export class L1Contract {
  readonly address: Address;
  readonly #anvil: Pick<RunningAnvil, "client" | "url">;
  readonly #abi: Abi;

  constructor(anvil: Pick<RunningAnvil, "client" | "url">, address: Address, abi: Abi) {
    this.#anvil = anvil;
    this.address = address;
    this.#abi = abi;
  }

  read(functionName: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#anvil.client.readContract({
      address: this.address,
      abi: this.#abi,
      functionName,
      args,
    });
  }

  /** Sends a transaction that must succeed. @returns the events of this contract's interface */
  async send(
    functionName: string,
    args: readonly unknown[],
    { from = 0, value = 0n }: L1CallOptions = {},
  ): Promise<L1Event[]> {
    const wallet = createWalletClient({
      account: l1Account(from),
      chain: foundry,
      transport: http(this.#anvil.url),
    });
    const hash = await wallet.writeContract({
      address: this.address,
      abi: this.#abi,
      functionName,
      args,
      value,
    });
    const receipt = await this.#anvil.client.waitForTransactionReceipt({ hash });
    if (receipt.status !== "success") throw new TypeError(`${functionName} was reverted`);
    const events = parseEventLogs({ abi: this.#abi, logs: receipt.logs }) as unknown as L1Event[];
    return events.map(({ eventName, args: values }) => ({ eventName, args: values ?? {} }));
  }

  /** Text of a failed call; "no refusal" if it succeeds. */
  async refusal(
    functionName: string,
    args: readonly unknown[],
    { from = 0, value = 0n }: L1CallOptions = {},
  ): Promise<string> {
    try {
      await this.#anvil.client.simulateContract({
        address: this.address,
        abi: this.#abi,
        functionName,
        args,
        value,
        account: l1Account(from),
      });
      return "no refusal";
    } catch (error) {
      return reasonOf(error);
    }
  }

  /** Text of a failed call with this data, from the first account. */
  async rawRefusal(data: Hex, value = 0n): Promise<string> {
    try {
      await this.#anvil.client.call({ to: this.address, data, value });
      return "no refusal";
    } catch (error) {
      return error instanceof BaseError ? error.details : String(error);
    }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) throw error;
  const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  if (!(reverted instanceof ContractFunctionRevertedError)) throw error;
  return reverted.reason ?? reverted.shortMessage;
}

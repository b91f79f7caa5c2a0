import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  getAddress,
  type Log,
  parseEventLogs,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { ANVIL_KEY, ANVIL_OTHER_KEYS, type RunningAnvil } from "./anvil.ts";
import { CORE_ABI } from "./l1-core-abi.ts";
import { deployCore, type DeployedCore, deployL1, postUpdate } from "./l1-core.ts";
import { deployTestContract } from "./l1-test-contract.ts";

const ROOT = resolve(import.meta.dir, "../..");

/** L1 account that governs the bridges. */
export const GOVERNOR = privateKeyToAccount(ANVIL_KEY);
/** L1 account that deposits and withdraws. */
export const USER = privateKeyToAccount(ANVIL_OTHER_KEYS[0]);
/** L1 account without permissions on the bridges. */
export const STRANGER = privateKeyToAccount(ANVIL_OTHER_KEYS[1]);
/** Address of the bridge on L2. */
export const L2_BRIDGE = 0xb41d6en;
/** Fee that a deposit pays for its message to L2, in wei. */
export const FEE = 1000n;

/** A contract with its ABI. */
export interface L1Contract {
  readonly address: Address;
  readonly abi: Abi;
}

/** Options of a call: sender, and amount of ETH. */
export interface CallBy {
  readonly by?: typeof GOVERNOR;
  readonly value?: bigint;
}

/** A logged message to L2. */
export interface LoggedMessage {
  readonly fromAddress: Address;
  readonly toAddress: bigint;
  readonly selector: bigint;
  readonly payload: readonly bigint[];
  readonly nonce: bigint;
  readonly fee: bigint;
}

/** The ABI of a contract of `contracts/l1`. */
export function abiOf(name: string): Abi {
  const path = resolve(ROOT, `contracts/l1/${name}.json`);
  return (JSON.parse(readFileSync(path, "utf8")) as { abi: Abi }).abi;
}

/** A core contract on anvil, with functions that deploy, call and use contracts. */
export class L1World {
  readonly anvil: RunningAnvil;
  readonly core: DeployedCore;
  #blockNumber = -1n;

  constructor(anvil: RunningAnvil, core: DeployedCore) {
    this.anvil = anvil;
    this.core = core;
  }

  static async deploy(anvil: RunningAnvil): Promise<L1World> {
    return new L1World(anvil, await deployCore(anvil));
  }

  /** Deploys a contract of `contracts/l1`. */
  async contract(name: string, args: readonly unknown[]): Promise<L1Contract> {
    return { address: getAddress(await deployL1(this.anvil, name, args)), abi: abiOf(name) };
  }

  /** Compiles and deploys a contract of `test/contracts/l1`. */
  testContract(name: string): Promise<L1Contract> {
    return deployTestContract(this.anvil, name);
  }

  read<T>({ address, abi }: L1Contract, functionName: string, ...args: unknown[]): Promise<T> {
    return this.anvil.client.readContract({ address, abi, functionName, args }) as Promise<T>;
  }

  /** Sends a call and waits for it. @throws if it fails */
  async send(to: L1Contract, functionName: string, args: readonly unknown[], call: CallBy = {}) {
    const { client } = this.anvil;
    const { by = GOVERNOR, value = 0n } = call;
    const hash = await client.writeContract({ ...to, functionName, args, account: by, value });
    const receipt = await client.waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe("success");
    return receipt;
  }

  /** Text of a rejected call. */
  async refusal(to: L1Contract, functionName: string, args: readonly unknown[], call: CallBy = {}) {
    const { by = GOVERNOR, value = 0n } = call;
    try {
      await this.anvil.client.simulateContract({
        ...to,
        functionName,
        args,
        account: by.address,
        value,
      });
    } catch (cause) {
      const revert = cause instanceof BaseError && cause.walk(isRevert);
      if (revert instanceof ContractFunctionRevertedError) {
        return revert.reason ?? revert.data?.errorName ?? revert.signature;
      }
      throw cause;
    }
    return "taken";
  }

  /** Messages to L2 in a receipt. */
  messagesToL2({ logs }: { readonly logs: Log[] }): LoggedMessage[] {
    return parseEventLogs({ abi: CORE_ABI, logs, eventName: "LogMessageToL2" }).map(
      ({ args }) => args,
    );
  }

  /** Value of a message to L2 in the core contract: fee plus 1, or 0. */
  async messageValue(message: LoggedMessage): Promise<bigint> {
    const { fromAddress, toAddress, selector, payload, nonce } = message;
    const { client } = this.anvil;
    const { address } = this.core;
    const hash = await client.readContract({
      address,
      abi: CORE_ABI,
      functionName: "l1ToL2MsgHash",
      args: [fromAddress, toAddress, selector, payload, nonce],
    });
    return client.readContract({
      address,
      abi: CORE_ABI,
      functionName: "l1ToL2Messages",
      args: [hash],
    });
  }

  /** Posts a state update in which L2 sent messages to `to`, and consumed others. */
  async update(
    to: Address,
    payloads: readonly (readonly bigint[])[],
    consumed: readonly LoggedMessage[] = [],
    from: bigint = L2_BRIDGE,
  ): Promise<void> {
    const number = this.#blockNumber + 1n;
    const state = (of: bigint) => ({ root: of + 1n, number: of, hash: of + 1n });
    const { status } = await postUpdate(this.anvil, this.core, {
      previous: state(this.#blockNumber),
      next: state(number),
      toL1: payloads.flatMap((payload) => [from, BigInt(to), BigInt(payload.length), ...payload]),
      toL2: consumed.flatMap(({ fromAddress, toAddress, nonce, selector, payload }) => [
        BigInt(fromAddress),
        toAddress,
        nonce,
        selector,
        BigInt(payload.length),
        ...payload,
      ]),
    });
    expect(status).toBe("success");
    this.#blockNumber = number;
  }

  /** Advances time on L1. */
  async wait(seconds: number): Promise<void> {
    await this.anvil.client.increaseTime({ seconds });
    await this.anvil.client.mine({ blocks: 1 });
  }
}

/** Payload of a withdrawal message from L2. */
export function withdrawalPayload(token: Address, amount: bigint, recipient: Address): bigint[] {
  return [0n, BigInt(recipient), BigInt(token), ...halves(amount)];
}

/** Low and high half of an amount. */
export function halves(amount: bigint): bigint[] {
  return [amount & (2n ** 128n - 1n), amount >> 128n];
}

/** The bridge for all tokens with its manager and registry, ready for deposits. */
export async function deployTokenBridge(world: L1World, l2Bridge: bigint) {
  const manager = await world.contract("TokenManager", [GOVERNOR.address]);
  const registry = await world.contract("TokenRegistry", [manager.address]);
  const args = [world.core.address, manager.address, GOVERNOR.address];
  const bridge = await world.contract("TokenBridge", args);
  await world.send(manager, "initialize", [registry.address, bridge.address]);
  await world.send(bridge, "setL2TokenBridge", [l2Bridge]);
  return { manager, registry, bridge };
}

/** A token that anyone may mint; the user has `amount`, all of it approved for a bridge. */
export async function testToken(world: L1World, bridge: L1Contract, amount: bigint) {
  const token = await world.contract("TestToken", ["Test Token", "TST", 6]);
  await world.send(token, "mint", [USER.address, amount]);
  await world.send(token, "approve", [bridge.address, 2n ** 256n - 1n], { by: USER });
  return token;
}

function isRevert(cause: unknown): boolean {
  return cause instanceof ContractFunctionRevertedError;
}

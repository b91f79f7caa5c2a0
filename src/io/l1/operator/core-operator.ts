import {
  type Abi,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  toHex,
} from "viem";
import { L1Error } from "#base/errors/index.ts";
import { nonsense } from "../endpoint/fault.ts";
import type { CoreState, L1Address } from "../types.ts";
import { addressText, L1Account, type L1AccountOptions } from "../account/l1-account.ts";
import { CORE_OPERATOR_ABI, VERIFIER_ABI, VERIFIER_SLOT } from "./operator-abi.ts";

/** Settings of {@link DevCoreOperator.connect}. */
export interface CoreOperatorOptions extends L1AccountOptions {
  readonly coreContractAddress: L1Address;
}

type CoreGetter =
  "programHash" | "configHash" | "stateRoot" | "stateBlockNumber" | "stateBlockHash";

const WORD_CHARACTERS = 66;

/** Client of a core contract with a development verifier, acting as one of its operators. */
export class DevCoreOperator {
  readonly #account: L1Account;
  readonly #core: Hex;
  readonly #verifier: Hex;

  private constructor(account: L1Account, core: Hex, verifier: Hex) {
    this.#account = account;
    this.#core = core;
    this.#verifier = verifier;
  }

  /**
   * Connects and verifies that the account may post updates.
   *
   * @param requireChain - called with L1's chain id before any other request; throws to reject the chain
   * @throws {L1Error} when the core contract does not exist, its verifier is not for development, or the
   *   account is not an operator of both
   */
  static async connect(
    options: CoreOperatorOptions,
    requireChain: (chainId: number, endpoint: string) => void,
  ): Promise<DevCoreOperator> {
    const account = new L1Account(options);
    requireChain(await account.chainId(), account.endpoint);
    const core = addressText(options.coreContractAddress);
    if (!(await account.hasCode(core))) {
      throw new L1Error("L1_NO_CONTRACT", `there is no contract at ${core} on L1`, false);
    }
    const slot = await account.storage(core, VERIFIER_SLOT);
    const verifier = addressText(BigInt.asUintN(160, slot));
    const operator = new DevCoreOperator(account, core, verifier);
    await operator.#requireOperator();
    return operator;
  }

  get address(): Hex {
    return this.#account.address;
  }

  /** Returns the hashes that the contract requires in every update. */
  async rules(): Promise<{ readonly programHash: bigint; readonly configHash: bigint }> {
    const [programHash, configHash] = await Promise.all([
      this.#get("programHash"),
      this.#get("configHash"),
    ]);
    return { programHash, configHash };
  }

  async state(): Promise<CoreState> {
    const [stateRoot, blockNumber, blockHash] = await Promise.all([
      this.#get("stateRoot"),
      this.#get("stateBlockNumber"),
      this.#get("stateBlockHash"),
    ]);
    return { stateRoot, blockNumber, blockHash };
  }

  /** Returns the message hashes that are not pending at the contract. */
  async missingMessages(hashes: readonly bigint[]): Promise<readonly bigint[]> {
    const fees = await Promise.all(
      hashes.map((hash) =>
        this.#read(this.#core, CORE_OPERATOR_ABI, "l1ToL2Messages", [word(hash)]),
      ),
    );
    return hashes.filter((_, at) => fees[at] === 0n);
  }

  /** Registers the fact at the verifier, unless it is valid already, and posts the output. */
  async post({
    programOutput,
    fact,
  }: {
    readonly programOutput: readonly bigint[];
    readonly fact: bigint;
  }): Promise<void> {
    const isKnown = await this.#read(this.#verifier, VERIFIER_ABI, "isValid", [word(fact)]);
    if (isKnown !== true) {
      const input = encodeFunctionData({
        abi: VERIFIER_ABI,
        functionName: "registerFact",
        args: [word(fact)],
      });
      await this.#account.send(this.#verifier, input, "registering a proof");
    }
    const input = encodeFunctionData({
      abi: CORE_OPERATOR_ABI,
      functionName: "updateState",
      args: [programOutput, 0n, 0n],
    });
    await this.#account.send(this.#core, input, "the state update");
  }

  async #requireOperator(): Promise<void> {
    const { address } = this.#account;
    const isDevelopment =
      (await this.#account.hasCode(this.#verifier)) &&
      (await this.#answers(this.#verifier, VERIFIER_ABI));
    if (!isDevelopment) {
      throw new L1Error(
        "L1_VERIFIER",
        `the core contract's verifier ${this.#verifier} is not a development verifier: it requires proofs`,
        false,
      );
    }
    for (const [name, contract, abi] of [
      ["core contract", this.#core, CORE_OPERATOR_ABI],
      ["verifier", this.#verifier, VERIFIER_ABI],
    ] as const) {
      if ((await this.#read(contract, abi, "isOperator", [address])) === true) continue;
      throw new L1Error(
        "L1_NO_OPERATOR",
        `${address} is not an operator of the ${name} ${contract}: its governor must call registerOperator`,
        false,
      );
    }
  }

  /** Whether a contract supports `isOperator`; others reject the call. */
  async #answers(contract: Hex, abi: typeof VERIFIER_ABI): Promise<boolean> {
    try {
      await this.#read(contract, abi, "isOperator", [this.#account.address]);
      return true;
    } catch (cause) {
      const isRefusal = cause instanceof L1Error && /^L1_(?:REFUSED|NONSENSE)$/.test(cause.code);
      if (isRefusal) return false;
      throw cause;
    }
  }

  async #get(functionName: CoreGetter): Promise<bigint> {
    return (await this.#read(this.#core, CORE_OPERATOR_ABI, functionName, [])) as bigint;
  }

  /** Calls a view function; all results used here are a single word. */
  async #read<const A extends Abi, N extends ContractFunctionName<A, "view">>(
    address: Hex,
    abi: A,
    functionName: N,
    args: ContractFunctionArgs<A, "view", N>,
  ): Promise<unknown> {
    const parameters = { abi: abi as Abi, functionName: functionName as string };
    const input = encodeFunctionData({ ...parameters, args: args as readonly unknown[] });
    const output = await this.#account.call(address, input);
    if (output.length !== WORD_CHARACTERS) {
      throw nonsense(`${address} does not return a single word for ${functionName}`);
    }
    try {
      return decodeFunctionResult({ ...parameters, data: output });
    } catch (cause) {
      if (!(cause instanceof BaseError)) throw cause;
      throw nonsense(`${address} returns ${output} for ${functionName}`);
    }
  }
}

function word(value: bigint): Hex {
  return toHex(value, { size: 32 });
}

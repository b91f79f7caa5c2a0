import { EDataAvailabilityMode, hash as hashes, Signer, transaction } from "starknet";
import { BootstrapError } from "#base/errors/index.ts";
import { type Felt, feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import type { RpcNode } from "../net/json-rpc.ts";
import { type Waiting, waitFor } from "../net/wait.ts";
import { ACCOUNT_SALT } from "./account-address.ts";
import { CLASSES, type ClassName } from "./classes.ts";
import { type L2Call, L2Reader } from "./l2-reader.ts";

/** Options of {@link L2Account}. */
export interface L2AccountOptions {
  readonly node: RpcNode;
  readonly chainId: string;
  readonly key: Felt;
  readonly publicKey: Felt;
  readonly address: Felt;
  /** Deadline for a transaction to be executed, milliseconds. */
  readonly transactionWaitMs: number;
  readonly waiting: Waiting;
}

/** Error codes that show that an earlier run already sent the transaction: known, or executed. */
const SENT_BEFORE = [51, 52, 59];

/** Sender of declarations on a chain without accounts. Source: the Starknet OS. */
const BOOTSTRAP = feltFromShortString("BOOTSTRAP");

/** Maximum amount and price of each resource. */
type ResourceBounds = Readonly<
  Record<"l1_gas" | "l2_gas" | "l1_data_gas", Readonly<Record<BoundName, bigint>>>
>;
type BoundName = "max_amount" | "max_price_per_unit";

/** A signed invoke transaction. */
export interface SignedL2 {
  readonly hash: string;
  /** In JSON-RPC form. */
  readonly transaction: unknown;
}

/** Amounts above the use of every step, at price 0. Source: Madara's bootstrapper. */
const FREE: ResourceBounds = {
  l1_gas: { max_amount: 220_000n, max_price_per_unit: 0n },
  l2_gas: { max_amount: 6_000_000_000n, max_price_per_unit: 0n },
  l1_data_gas: { max_amount: 60_000n, max_price_per_unit: 0n },
};

/** Bounds as a percentage of the estimated amounts and prices. */
const ESTIMATE_MARGIN_PERCENT = 150n;

/** First protocol version whose declarations use the Blake hash of the compiled class. */
const BLAKE_SINCE = [0, 14, 1] as const;

/** An L2 account that sends transactions one at a time, each once the previous one is executed. */
export class L2Account extends L2Reader {
  readonly #options: L2AccountOptions;
  readonly #signer: Signer;

  constructor(options: L2AccountOptions) {
    super(options.node);
    this.#options = options;
    this.#signer = new Signer(hexFromFelt(options.key));
  }

  /** Declares a class unsigned, as accepted on a chain without accounts. */
  async declareUnsigned(name: ClassName): Promise<void> {
    await this.#send("starknet_addDeclareTransaction", "declare_transaction", {
      ...this.#common(0n, []),
      type: "DECLARE",
      sender_address: hexFromFelt(BOOTSTRAP),
      compiled_class_hash: hexFromFelt(await this.#compiledClassHash(name)),
      contract_class: CLASSES[name].sierra(),
      account_deployment_data: [],
    });
  }

  async declare(name: ClassName): Promise<void> {
    const { classHash } = CLASSES[name];
    const nonce = await this.nonce(this.#options.address);
    const compiledClassHash = hexFromFelt(await this.#compiledClassHash(name));
    const signature = await this.#signer.signDeclareTransaction({
      ...this.#details(nonce),
      classHash: hexFromFelt(classHash),
      compiledClassHash,
      senderAddress: hexFromFelt(this.#options.address),
    });
    await this.#send("starknet_addDeclareTransaction", "declare_transaction", {
      ...this.#common(nonce, signature),
      type: "DECLARE",
      sender_address: hexFromFelt(this.#options.address),
      compiled_class_hash: compiledClassHash,
      contract_class: CLASSES[name].sierra(),
      account_deployment_data: [],
    });
  }

  async deployAccount(): Promise<void> {
    const { address, publicKey } = this.#options;
    const classHash = hexFromFelt(CLASSES.account.classHash);
    const constructorCalldata = [hexFromFelt(publicKey)];
    const addressSalt = hexFromFelt(ACCOUNT_SALT);
    const signature = await this.#signer.signDeployAccountTransaction({
      ...this.#details(0n),
      classHash,
      contractAddress: hexFromFelt(address),
      constructorCalldata,
      addressSalt,
    });
    await this.#send("starknet_addDeployAccountTransaction", "deploy_account_transaction", {
      ...this.#common(0n, signature),
      type: "DEPLOY_ACCOUNT",
      class_hash: classHash,
      constructor_calldata: constructorCalldata,
      contract_address_salt: addressSalt,
    });
  }

  /** Calls a function from the account, without a fee. */
  async invoke(call: L2Call): Promise<void> {
    const nonce = await this.nonce(this.#options.address);
    const { transaction: sent } = await this.#sign(call, nonce, FREE);
    await this.#send("starknet_addInvokeTransaction", "invoke_transaction", sent);
  }

  /**
   * Signs a call with the next nonce and bounds above its estimate, without sending it. The result can be
   * sent repeatedly and is executed at most once.
   */
  async sign(call: L2Call): Promise<SignedL2> {
    const nonce = await this.nonce(this.#options.address);
    const { transaction: estimated } = await this.#sign(call, nonce, FREE);
    const { l1_gas, l2_gas, l1_data_gas } = await this.estimate(estimated);
    const bounds = {
      l1_gas: raised(l1_gas),
      l2_gas: raised(l2_gas),
      l1_data_gas: raised(l1_data_gas),
    };
    return this.#sign(call, nonce, bounds);
  }

  /**
   * Sends a signed transaction unless the chain has it, and waits until it is executed.
   *
   * @throws {BootstrapError} when it failed, or is not executed in time
   */
  async include({ hash, transaction: sent }: SignedL2): Promise<void> {
    if ((await this.outcomeOf(hash)) === undefined) {
      await this.sendOr(SENT_BEFORE, "starknet_addInvokeTransaction", { invoke_transaction: sent });
    }
    await this.#executed(hash);
  }

  async #sign(
    { address, functionName, calldata }: L2Call,
    nonce: Felt,
    bounds: ResourceBounds,
  ): Promise<SignedL2> {
    const calls = [
      {
        contractAddress: hexFromFelt(address),
        entrypoint: functionName,
        calldata: calldata.map(hexFromFelt),
      },
    ];
    const walletAddress = hexFromFelt(this.#options.address);
    const details = this.#details(nonce, bounds);
    const signature = await this.#signer.signTransaction(calls, {
      ...details,
      walletAddress,
      cairoVersion: "1",
    });
    const compiledCalldata = transaction.getExecuteCalldata(calls, "1");
    const hash = hashes.calculateInvokeTransactionHash({
      ...details,
      senderAddress: walletAddress,
      compiledCalldata,
      nonceDataAvailabilityMode: 0,
      feeDataAvailabilityMode: 0,
    });
    return {
      hash: hexFromFelt(BigInt(hash)),
      transaction: {
        ...this.#common(nonce, signature, bounds),
        type: "INVOKE",
        sender_address: walletAddress,
        calldata: compiledCalldata.map((word) => hexFromFelt(BigInt(word))),
        account_deployment_data: [],
      },
    };
  }

  async #compiledClassHash(name: ClassName): Promise<Felt> {
    const parts = await this.protocolVersion();
    const at = BLAKE_SINCE.findIndex((part, i) => parts[i] !== part);
    const isBlake = at === -1 || (parts[at] ?? 0) > (BLAKE_SINCE[at] ?? 0);
    const { compiledClassHashV1, compiledClassHashV2 } = CLASSES[name];
    return isBlake ? compiledClassHashV2 : compiledClassHashV1;
  }

  /** Wire members common to all transactions. */
  #common(nonce: Felt, signature: unknown, bounds: ResourceBounds = FREE) {
    return {
      version: "0x3",
      nonce: hexFromFelt(nonce),
      signature: signatureTexts(signature),
      resource_bounds: wireBounds(bounds),
      tip: "0x0",
      paymaster_data: [],
      nonce_data_availability_mode: "L1",
      fee_data_availability_mode: "L1",
    };
  }

  /** Signed fields other than the transaction's content. */
  #details(nonce: Felt, resourceBounds: ResourceBounds = FREE) {
    return {
      chainId: hexFromFelt(feltFromShortString(this.#options.chainId)) as never,
      version: "0x3" as const,
      nonce,
      resourceBounds,
      tip: 0n,
      paymasterData: [],
      accountDeploymentData: [],
      nonceDataAvailabilityMode: EDataAvailabilityMode.L1,
      feeDataAvailabilityMode: EDataAvailabilityMode.L1,
    };
  }

  /** Sends a transaction and waits until it is executed; does not wait for one that an earlier run sent. */
  async #send(method: string, member: string, sent: unknown): Promise<void> {
    const hash = await this.sendOr(SENT_BEFORE, method, { [member]: sent });
    if (hash !== undefined) await this.#executed(hash);
  }

  async #executed(hash: string): Promise<void> {
    const { waiting, transactionWaitMs } = this.#options;
    const outcome = await waitFor(waiting, transactionWaitMs, () => this.outcomeOf(hash));
    if (outcome === "succeeded") return;
    const message =
      outcome === undefined
        ? `transaction ${hash} is not executed on L2 after L1_WAIT_TIME: is the sequencer producing blocks?`
        : `transaction ${hash} failed on L2: ${outcome}`;
    throw new BootstrapError("BOOTSTRAP_L2_TRANSACTION", message);
  }
}

function wireBounds(bounds: ResourceBounds) {
  return Object.fromEntries(
    Object.entries(bounds).map(([name, { max_amount, max_price_per_unit }]) => [
      name,
      { max_amount: hexFromFelt(max_amount), max_price_per_unit: hexFromFelt(max_price_per_unit) },
    ]),
  );
}

function raised({ amount, price }: Readonly<Record<"amount" | "price", bigint>>) {
  const raise = (value: bigint): bigint => (value * ESTIMATE_MARGIN_PERCENT) / 100n;
  return { max_amount: raise(amount), max_price_per_unit: raise(price) };
}

function signatureTexts(signature: unknown): readonly string[] {
  if (Array.isArray(signature)) return signature.map((part) => hexFromFelt(BigInt(part as string)));
  const { r, s } = signature as { readonly r: bigint; readonly s: bigint };
  return [hexFromFelt(r), hexFromFelt(s)];
}

import { EDataAvailabilityMode, Signer, transaction } from "starknet";
import { BootstrapError } from "#base/errors/index.ts";
import { type Felt, feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import type { RpcNode } from "../net/json-rpc.ts";
import { type Waiting, waitFor } from "../net/wait.ts";
import { ACCOUNT_SALT } from "./account-address.ts";
import { CLASSES, type ClassName } from "./classes.ts";
import { type L2Call, L2Reader } from "./l2-reader.ts";

/** What an account on L2 needs. */
export interface L2AccountOptions {
  readonly node: RpcNode;
  /** The chain's id as text. */
  readonly chainId: string;
  readonly key: Felt;
  readonly publicKey: Felt;
  readonly address: Felt;
  /** How long a transaction is waited for, milliseconds. */
  readonly transactionWaitMs: number;
  readonly waiting: Waiting;
}

/** What became of a transaction that was sent by an earlier run: it is known, or executed already. */
const SENT_BEFORE = [51, 52, 59];

/** Sender of declarations on a chain that has no account yet. Source: the Starknet OS. */
const BOOTSTRAP = feltFromShortString("BOOTSTRAP");

/** Amounts above what each step takes; the price of all is 0. Source: Madara's bootstrapper. */
const RESOURCE_BOUNDS = {
  l1_gas: { max_amount: 220_000n, max_price_per_unit: 0n },
  l2_gas: { max_amount: 6_000_000_000n, max_price_per_unit: 0n },
  l1_data_gas: { max_amount: 60_000n, max_price_per_unit: 0n },
};

const WIRE_BOUNDS = Object.fromEntries(
  Object.entries(RESOURCE_BOUNDS).map(([name, { max_amount, max_price_per_unit }]) => [
    name,
    { max_amount: hexFromFelt(max_amount), max_price_per_unit: hexFromFelt(max_price_per_unit) },
  ]),
);

/** From this protocol version on a declaration names the Blake hash of the compiled class. */
const BLAKE_SINCE = [0, 14, 1] as const;

/** An account on L2 that sends one transaction after the other, each when the one before is executed. */
export class L2Account extends L2Reader {
  readonly #options: L2AccountOptions;
  readonly #signer: Signer;

  constructor(options: L2AccountOptions) {
    super(options.node);
    this.#options = options;
    this.#signer = new Signer(hexFromFelt(options.key));
  }

  /** Declares a class in nobody's name, as a chain without accounts takes it. */
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

  /** Declares a class in the account's name. */
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

  /** Deploys the account itself. */
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

  /** Calls a function in the account's name. */
  async invoke({ address, functionName, calldata }: L2Call): Promise<void> {
    const calls = [
      {
        contractAddress: hexFromFelt(address),
        entrypoint: functionName,
        calldata: calldata.map(hexFromFelt),
      },
    ];
    const nonce = await this.nonce(this.#options.address);
    const signature = await this.#signer.signTransaction(calls, {
      ...this.#details(nonce),
      walletAddress: hexFromFelt(this.#options.address),
      cairoVersion: "1",
    });
    await this.#send("starknet_addInvokeTransaction", "invoke_transaction", {
      ...this.#common(nonce, signature),
      type: "INVOKE",
      sender_address: hexFromFelt(this.#options.address),
      calldata: transaction.getExecuteCalldata(calls, "1").map((word) => hexFromFelt(BigInt(word))),
      account_deployment_data: [],
    });
  }

  async #compiledClassHash(name: ClassName): Promise<Felt> {
    const parts = await this.protocolVersion();
    const at = BLAKE_SINCE.findIndex((part, i) => parts[i] !== part);
    const isBlake = at === -1 || (parts[at] ?? 0) > (BLAKE_SINCE[at] ?? 0);
    const { compiledClassHashV1, compiledClassHashV2 } = CLASSES[name];
    return isBlake ? compiledClassHashV2 : compiledClassHashV1;
  }

  /** Members that all transactions have on the wire. */
  #common(nonce: Felt, signature: unknown) {
    return {
      version: "0x3",
      nonce: hexFromFelt(nonce),
      signature: signatureTexts(signature),
      resource_bounds: WIRE_BOUNDS,
      tip: "0x0",
      paymaster_data: [],
      nonce_data_availability_mode: "L1",
      fee_data_availability_mode: "L1",
    };
  }

  /** What a signature is made over beside what the transaction does. */
  #details(nonce: Felt) {
    return {
      chainId: hexFromFelt(feltFromShortString(this.#options.chainId)) as never,
      version: "0x3" as const,
      nonce,
      resourceBounds: RESOURCE_BOUNDS,
      tip: 0n,
      paymasterData: [],
      accountDeploymentData: [],
      nonceDataAvailabilityMode: EDataAvailabilityMode.L1,
      feeDataAvailabilityMode: EDataAvailabilityMode.L1,
    };
  }

  /** Sends a transaction and waits until it is executed; one that an earlier run has sent is not waited for. */
  async #send(method: string, member: string, sent: unknown): Promise<void> {
    const hash = await this.sendOr(SENT_BEFORE, method, { [member]: sent });
    if (hash === undefined) return;
    const { waiting, transactionWaitMs } = this.#options;
    const outcome = await waitFor(waiting, transactionWaitMs, () => this.outcomeOf(hash));
    if (outcome === "succeeded") return;
    const message =
      outcome === undefined
        ? `transaction ${hash} is not executed on L2 after L1_WAIT_TIME: does the sequencer make blocks?`
        : `transaction ${hash} failed on L2: ${outcome}`;
    throw new BootstrapError("BOOTSTRAP_L2_TRANSACTION", message);
  }
}

function signatureTexts(signature: unknown): readonly string[] {
  if (Array.isArray(signature)) return signature.map((part) => hexFromFelt(BigInt(part as string)));
  const { r, s } = signature as { readonly r: bigint; readonly s: bigint };
  return [hexFromFelt(r), hexFromFelt(s)];
}

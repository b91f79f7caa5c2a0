import { Account, CallData, ec, hash, stark } from "starknet";
import { hexFromFelt } from "#base/primitives/index.ts";
import { calldataFor } from "../contracts/hostile/arguments.ts";
import { record } from "../contracts/hostile/contract.ts";
import { rawCall, type RunningChain } from "./binary.ts";
import { HOSTILE, hostileClass } from "./hostile-class.ts";
import { HOSTILE_ADDRESS, hostileCall } from "./hostile-config.ts";
import type { Expectation, KillLedger } from "./kill-ledger.ts";
import { signedTransfer } from "./load.ts";
import { rpcBody } from "./raw-http.ts";
import { NO_ESTIMATE, ONE_TOKEN, transferCall } from "./tokens.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
const DUPLICATE_TX = 59;
const INVALID_NONCE = 52;

/** Number of accounts that send transfers, from index 0 on. */
export const SENDERS = 4;
/** Index of the account that pays for deployments and the hostile account. */
export const FUNDER = SENDERS;
/** Index of the first account that is emptied; each further one is emptied once, too. */
export const FIRST_EMPTIED = FUNDER + 1;
/** More than the cost of a transfer, less than the maximum fee that transfers offer. */
const LEFT_OVER = 10n ** 13n;

/** Pause after a rejected transaction: its account is at its limit, or the chain is dead. */
const RETRY_MS = 25;
/** Pause between two polls of the newest block; short, to notice blocks right before a kill. */
const WATCH_MS = 5;

/** Response to a submission. */
export interface Submitted {
  readonly result?: { readonly transaction_hash: string };
  readonly error?: { readonly code: number; readonly data?: unknown };
}

/** Time from one start of the chain to its kill, as the load of a kill test sees it. */
export interface Life {
  readonly chain: RunningChain;
  readonly ledger: KillLedger;
  /** Whether the chain is running; `false` once it is being killed. */
  isAlive(): boolean;
  /** Sends a submission, like {@link post}; by default to the chain's URL. */
  readonly submit?: (body: string) => Promise<Submitted | undefined>;
}

/** Numbers of submissions that a sender has made, and of those that failed. */
export interface Attempts {
  readonly made: number;
  /** Submissions without a transaction hash, by error code; 0 without any response. */
  readonly failed: ReadonlyMap<number, number>;
}

/** Posts a body to a URL. @returns the response; `undefined` if the connection broke */
export async function post<T>(url: string, body: string): Promise<T | undefined> {
  const headers = { "content-type": "application/json" };
  try {
    return (await (await fetch(url, { method: "POST", headers, body })).json()) as T;
  } catch {
    return undefined;
  }
}

/** Sends one account's transactions in nonce order, over all runs of a chain. */
export class NonceSender {
  readonly #bodyOf: (nonce: number) => string;
  readonly #expectation: Expectation;
  readonly #pauseMs: number;
  readonly #failed = new Map<number, number>();
  #made = 0;
  #nonce = 0;
  /** Body of the next transaction, which may be sent many times; `undefined` until it is signed. */
  #body: string | undefined;

  /**
   * @param bodyOf - deterministic for a nonce, so that a retry sends the same transaction
   * @param pauseMs - pause after each accepted one
   */
  constructor(bodyOf: (nonce: number) => string, expectation: Expectation = {}, pauseMs = 0) {
    this.#bodyOf = bodyOf;
    this.#expectation = expectation;
    this.#pauseMs = pauseMs;
  }

  /** Submissions so far, counting each response once. */
  get attempts(): Attempts {
    return { made: this.#made, failed: this.#failed };
  }

  /** Sends sequentially until the chain dies; waits at the account's limit. */
  async run({ chain, ledger, isAlive, submit }: Life): Promise<void> {
    const send = submit ?? ((body: string) => post<Submitted>(chain.url, body));
    while (isAlive()) {
      this.#body ??= this.#bodyOf(this.#nonce);
      const answer = await send(this.#body);
      this.#made++;
      if (answer?.result !== undefined) {
        ledger.received(answer.result.transaction_hash, this.#expectation);
        this.#next();
        if (this.#pauseMs > 0) await Bun.sleep(this.#pauseMs);
        continue;
      }
      const code = answer?.error?.code;
      this.#failed.set(code ?? 0, (this.#failed.get(code ?? 0) ?? 0) + 1);
      // The response before a kill was lost, but the transaction was not.
      if (code === DUPLICATE_TX || code === INVALID_NONCE) this.#next();
      else await Bun.sleep(RETRY_MS);
    }
  }

  #next(): void {
    this.#nonce++;
    this.#body = undefined;
  }
}

/**
 * Creates the sender of transfers of one funded account; the chain must be in its first run, which
 * prints the keys.
 */
export function transferSender(chain: RunningChain, index: number): NonceSender {
  const signer = chain.signer(index);
  return new NonceSender(
    (nonce) => signedTransfer(CHAIN_ID, signer, BigInt(nonce), 0xabc000n + BigInt(index)).body,
  );
}

const deployed = { address: HOSTILE, classHash: hostileClass.classHash };

/** Work of the hostile account's transactions, in order; the panics revert. */
const EXECUTED: readonly (readonly bigint[])[] = [
  calldataFor("storage_write", 300, deployed),
  calldataFor("call_contract", 100, deployed),
  calldataFor("panic_data", 2_000, deployed),
  calldataFor("keccak", 100, deployed),
  record("storage_write", { count: 50, a: 0x900n, b: 1n, fails: true }),
  calldataFor("recursion", 5_000, deployed),
  calldataFor("emit_event", 50, deployed),
  calldataFor("return_data", 5_000, deployed),
];

function hostileInvoke(nonce: number, validate = record("steps", { count: 0 })) {
  const execute = EXECUTED[nonce % EXECUTED.length] ?? [];
  const bound = (amount: bigint) => ({
    max_amount: hexFromFelt(amount),
    max_price_per_unit: "0xf4240",
  });
  return {
    type: "INVOKE",
    version: "0x3",
    signature: [],
    nonce: hexFromFelt(BigInt(nonce)),
    sender_address: HOSTILE_ADDRESS,
    calldata: [...validate, ...execute].map(hexFromFelt),
    account_deployment_data: [],
    resource_bounds: {
      l1_gas: bound(100_000n),
      l1_data_gas: bound(1_000_000n),
      l2_gas: bound(400_000_000n),
    },
    tip: "0x0",
    paymaster_data: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
  };
}

/** Creates the sender of transactions of the hostile account that the chain accepts. */
export function hostileSender(): NonceSender {
  const bodyOf = (nonce: number) => rpcBody(nonce, "addInvokeTransaction", [hostileInvoke(nonce)]);
  return new NonceSender(bodyOf, { mayRevert: true });
}

/** Calls, estimates and validations of the hostile contract, whose responses are ignored. */
export async function hostileQueries({ chain, isAlive }: Life): Promise<void> {
  const failing = record("steps", { count: 200_000, fails: true });
  const bodies = [
    rpcBody(1, "call", hostileCall("pedersen", 1e9)),
    rpcBody(2, "estimateFee", [[hostileInvoke(0)], [], "pre_confirmed"]),
    rpcBody(3, "addInvokeTransaction", [hostileInvoke(1_000, failing)]),
    rpcBody(4, "call", hostileCall("storage_read", 50_000)),
    rpcBody(5, "call", hostileCall("segments", 300)),
  ];
  const repeat = async (body: string) => {
    while (isAlive()) await post(chain.url, body);
  };
  await Promise.all(bodies.map(repeat));
}

/** Empties an account and concurrently sends another transaction: the second one is rejected. */
export async function rejectedPair(life: Life, index: number, balance: bigint): Promise<void> {
  const { chain, ledger } = life;
  const signer = chain.signer(index);
  const bodies = [balance - LEFT_OVER, 1n].map(
    (amount, nonce) => signedTransfer(CHAIN_ID, signer, BigInt(nonce), 0x1234n, amount).body,
  );
  const answers = (await post<Submitted[]>(chain.url, `[${bodies.join(",")}]`)) ?? [];
  for (const [i, { result }] of answers.entries()) {
    if (result !== undefined) ledger.received(result.transaction_hash, { mayBeRejected: i === 1 });
  }
}

/** Funds, deploys and uses new accounts repeatedly. */
export async function deployChains(life: Life): Promise<void> {
  while (life.isAlive()) {
    try {
      await deployChain(life);
    } catch (error) {
      // A kill in the middle leaves a funded, unused account.
      if (life.isAlive() && !isOfTheChain(error)) throw error;
      await Bun.sleep(10);
    }
  }
}

/** Whether an error is a response of the chain, such as a full account. */
function isOfTheChain(error: unknown): boolean {
  return (error as { baseError?: unknown }).baseError !== undefined;
}

async function deployChain({ chain, ledger, isAlive }: Life): Promise<void> {
  const funder = chain.account(FUNDER);
  const executed = async (transaction: string): Promise<void> => {
    for (;;) {
      const { result } = await rawCall(chain.url, "starknet_getTransactionStatus", [transaction]);
      if ((result as { finality_status?: string })?.finality_status !== "RECEIVED") return;
      if (!isAlive()) return;
      await Bun.sleep(10);
    }
  };
  const privateKey = stark.randomAddress();
  const publicKey = ec.starkCurve.getStarkKey(privateKey);
  const classHash = await chain.provider.getClassHashAt(funder.address);
  const constructorCalldata = CallData.compile([publicKey]);
  const parts = [publicKey, classHash, constructorCalldata, 0] as const;
  const address = hash.calculateContractAddressFromHash(...parts);
  const funded = await funder.execute(transferCall(address, 10n * ONE_TOKEN), NO_ESTIMATE);
  ledger.received(funded.transaction_hash);
  await executed(funded.transaction_hash);
  const account = new Account({ provider: chain.provider, address, signer: privateKey });
  const deployment = { classHash, constructorCalldata, addressSalt: publicKey };
  const { transaction_hash } = await account.deployAccount(deployment, NO_ESTIMATE);
  ledger.received(transaction_hash);
  await executed(transaction_hash);
  for (let nonce = 1; nonce < 4; nonce++) {
    const sent = await account.execute(transferCall("0xabc", BigInt(nonce)), {
      ...NO_ESTIMATE,
      nonce,
    });
    ledger.received(sent.transaction_hash);
  }
}

/** Records every block that is reported as accepted. @param pauseMs - pause between two polls */
export async function watchBlocks(
  { chain, ledger, isAlive }: Life,
  pauseMs = WATCH_MS,
): Promise<void> {
  const body = rpcBody(1, "blockHashAndNumber");
  while (isAlive()) {
    const answer = await post<{ result?: { block_hash: string; block_number: number } }>(
      chain.url,
      body,
    );
    if (answer?.result !== undefined) {
      ledger.accepted(answer.result.block_number, answer.result.block_hash);
    }
    await Bun.sleep(pauseMs);
  }
}

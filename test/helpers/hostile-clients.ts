import { selectorFromName } from "#protocol/crypto/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { rawCall } from "./binary.ts";
import { HOSTILE_ACCOUNTS, type HostileWay, SPARE_ACCOUNTS } from "./hostile-config.ts";

/** Maximum L2 gas of a transaction of the newest protocol version. */
const MOST_L2_GAS = 1_110_000_000n;

const NO_WORK: readonly Felt[] = [0n, 0n, 0n, 0n, 0n, 0n];

function bound(maxAmount: bigint, maxPricePerUnit: bigint) {
  return { max_amount: hexFromFelt(maxAmount), max_price_per_unit: hexFromFelt(maxPricePerUnit) };
}

/**
 * Creates an unsigned invoke of a hostile account; the account accepts it if its calldata allows.
 */
export function invoke(
  sender: Felt,
  nonce: bigint,
  calldata: readonly Felt[],
  tip = 0n,
  maxL2Gas = MOST_L2_GAS,
) {
  return {
    type: "INVOKE",
    version: "0x3",
    signature: [],
    nonce: hexFromFelt(nonce),
    sender_address: hexFromFelt(sender),
    calldata: calldata.map(hexFromFelt),
    account_deployment_data: [],
    resource_bounds: {
      l1_gas: bound(100_000n, 1_000_000n),
      l1_data_gas: bound(1_000_000n, 1_000_000n),
      l2_gas: bound(maxL2Gas, 1_000_000n),
    },
    tip: hexFromFelt(tip),
    paymaster_data: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
  };
}

/** JSON-RPC response of a node to a request that runs the hostile contract. */
export type HostileAnswer = Awaited<ReturnType<typeof rawCall>>;

/**
 * Runs work of the hostile contract in a `starknet_call`.
 *
 * @param calldata - records of work, as for the contract's function `run`
 * @returns the node's response, also when it is an error
 */
export function callWork(url: string, calldata: readonly Felt[]): Promise<HostileAnswer> {
  const request = {
    contract_address: hexFromFelt(HOSTILE_ACCOUNTS.call),
    entry_point_selector: hexFromFelt(selectorFromName("run")),
    calldata: calldata.map(hexFromFelt),
  };
  return rawCall(url, "starknet_call", [request, "latest"]);
}

/** Estimates a transaction that does the work in its execution. */
export function estimateWork(url: string, calldata: readonly Felt[]): Promise<HostileAnswer> {
  const transaction = invoke(HOSTILE_ACCOUNTS.estimate, 0n, [...NO_WORK, ...calldata]);
  return rawCall(url, "starknet_estimateFee", [[transaction], ["SKIP_VALIDATE"], "latest"]);
}

/** Simulates a transaction that does the work in its execution. */
export function simulateWork(url: string, calldata: readonly Felt[]): Promise<HostileAnswer> {
  const transaction = invoke(HOSTILE_ACCOUNTS.estimate, 0n, [...NO_WORK, ...calldata]);
  return rawCall(url, "starknet_simulateTransactions", ["latest", [transaction], []]);
}

/** Sends a transaction that does the work in `__validate__`; a rejected one pays nothing. */
export function validateWork(
  url: string,
  nonce: bigint,
  calldata: readonly Felt[],
): Promise<HostileAnswer> {
  const transaction = invoke(HOSTILE_ACCOUNTS.validate, nonce, calldata);
  return rawCall(url, "starknet_addInvokeTransaction", [transaction]);
}

/** Sends a transaction that is accepted and does the work in its execution. */
export function executeWork(
  url: string,
  nonce: bigint,
  calldata: readonly Felt[],
  sender: Felt = HOSTILE_ACCOUNTS.execute,
  tip = 0n,
): Promise<HostileAnswer> {
  const transaction = invoke(sender, nonce, [...NO_WORK, ...calldata], tip);
  return rawCall(url, "starknet_addInvokeTransaction", [transaction]);
}

/** Like {@link executeWork}, with a bound of L2 gas. */
export function boundedWork(
  url: string,
  sender: Felt,
  nonce: bigint,
  calldata: readonly Felt[],
  maxL2Gas: bigint,
): Promise<HostileAnswer> {
  const transaction = invoke(sender, nonce, [...NO_WORK, ...calldata], 0n, maxL2Gas);
  return rawCall(url, "starknet_addInvokeTransaction", [transaction]);
}

/** Like {@link executeWork}, paid by any of the hostile accounts. */
export function paidWork(
  url: string,
  payer: HostileWay,
  nonce: bigint,
  calldata: readonly Felt[],
): Promise<HostileAnswer> {
  const transaction = invoke(HOSTILE_ACCOUNTS[payer], nonce, [...NO_WORK, ...calldata]);
  return rawCall(url, "starknet_addInvokeTransaction", [transaction]);
}

const NOT_EXECUTED = new Set(["RECEIVED", "CANDIDATE"]);
const POLL_MS = 20;

/** A hostile client that requests work in one way and waits for it. */
export class HostileClient {
  readonly #url: string;
  readonly #way: HostileWay;
  #nonce: Promise<bigint> | undefined;
  #sender: Felt;
  #drops = 0;

  constructor(url: string, way: HostileWay) {
    this.#url = url;
    this.#way = way;
    this.#sender = HOSTILE_ACCOUNTS[way];
  }

  /** Requests the work. @returns the node's last response about it */
  async run(calldata: readonly Felt[]): Promise<HostileAnswer> {
    switch (this.#way) {
      case "call":
        return callWork(this.#url, calldata);
      case "estimate":
        return estimateWork(this.#url, calldata);
      case "validate":
        return this.#spendNonce((nonce) => validateWork(this.#url, nonce, calldata));
      case "execute": {
        const answer = await this.#spendNonce((nonce) =>
          executeWork(this.#url, nonce, calldata, this.#sender),
        );
        const { transaction_hash: hash } = (answer.result ?? {}) as { transaction_hash?: string };
        if (hash === undefined) return answer;
        const last = await this.#untilExecuted(hash);
        // A transaction above the memory limit is dropped and its account paused: use another one.
        const { finality_status: status } = (last.result ?? {}) as { finality_status?: string };
        if (status === undefined || status === "REJECTED") {
          this.#nonce = undefined;
          this.#sender = SPARE_ACCOUNTS[this.#drops++ % SPARE_ACCOUNTS.length] ?? this.#sender;
        }
        return last;
      }
    }
  }

  async #spendNonce(send: (nonce: bigint) => Promise<HostileAnswer>): Promise<HostileAnswer> {
    const nonce = await (this.#nonce ?? this.#nextNonce());
    const answer = await send(nonce);
    this.#nonce = Promise.resolve(answer.error === undefined ? nonce + 1n : nonce);
    return answer;
  }

  async #nextNonce(): Promise<bigint> {
    const params = ["pre_confirmed", hexFromFelt(this.#sender)];
    const { result } = await rawCall(this.#url, "starknet_getNonce", params);
    return BigInt(result as string);
  }

  async #untilExecuted(hash: string): Promise<HostileAnswer> {
    for (;;) {
      const answer = await rawCall(this.#url, "starknet_getTransactionStatus", [hash]);
      const status = (answer.result as { finality_status?: string } | undefined)?.finality_status;
      if (status === undefined || !NOT_EXECUTED.has(status)) return answer;
      await Bun.sleep(POLL_MS);
    }
  }
}

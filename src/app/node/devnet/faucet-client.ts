import { sign } from "#protocol/crypto/index.ts";
import { type GasPrices, type InvokeV3, transactionHash } from "#protocol/chain/index.ts";
import { type Felt, Turns } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { DevnetFault, type MintOutcome } from "#api/rpc/index.ts";
import type { SubmitOutcome } from "#services/admission/index.ts";
import type { Faucet } from "#services/sequencer/index.ts";
import type { Progress } from "../production/progress.ts";
import type { GivingSelectors } from "./mint-selectors.ts";

/** Maximum mint requests that wait for earlier ones. */
export const MAX_WAITING_MINTS = 256;

/** Gas limits of a faucet transaction; only the gas used is charged. */
const MAX_GAS = { l1Gas: 10_000n, l1DataGas: 10_000n, l2Gas: 20_000_000n } as const;

/** Factor by which prices may rise before the transaction is executed. */
const PRICE_MARGIN = 2n;

const LOW_128 = (1n << 128n) - 1n;

/** Dependencies of {@link FaucetClient}. */
export interface FaucetClientDeps {
  readonly chainId: Felt;
  /** `null` if the chain was created without a faucet. */
  readonly faucet: Faucet | null;
  readonly selectors: GivingSelectors;
  /** Reads the state after all executed transactions, on a fork once its origin has returned the values. */
  readonly read: <T>(work: (state: StateReader) => T) => T | Promise<T>;
  readonly gasPrices: () => GasPrices;
  readonly submit: (transaction: InvokeV3) => Promise<SubmitOutcome>;
  readonly rejectionOf: (hash: Felt) => Promise<string | undefined>;
  readonly progress: Pick<Progress, "until" | "receiptOf">;
}

/**
 * Mints tokens with ordinary transactions of the faucet account. They are part of blocks, survive a restart,
 * and re-execution of the chain yields the same state.
 */
export class FaucetClient {
  readonly #deps: FaucetClientDeps;
  readonly #turns = new Turns();
  #waiting = 0;

  constructor(deps: FaucetClientDeps) {
    this.#deps = deps;
  }

  /**
   * Mints, after all earlier requests; resolves when the transaction is executed.
   *
   * @param amount - below 2^256
   * @throws {DevnetFault} when the transaction cannot be sent
   */
  async mint(token: Felt, recipient: Felt, amount: bigint): Promise<MintOutcome> {
    if (this.#waiting >= MAX_WAITING_MINTS) {
      throw new DevnetFault("too many requests for tokens are waiting: retry later");
    }
    this.#waiting++;
    try {
      // Sequential, because each transaction uses the nonce after the previous one.
      return await this.#turns.run(() => this.#send(token, recipient, amount));
    } finally {
      this.#waiting--;
    }
  }

  async #send(token: Felt, recipient: Felt, amount: bigint): Promise<MintOutcome> {
    const { faucet, selectors, read, submit, progress, rejectionOf } = this.#deps;
    if (faucet === null) throw noFaucet();
    const values = await read((state) => {
      if (state.classHashAt(faucet.address) === 0n) return undefined;
      return { selector: selectors.of(token, state), nonce: state.nonceAt(faucet.address) };
    });
    if (values === undefined) throw noFaucet();
    const { selector, nonce } = values;
    const calldata = [recipient, amount & LOW_128, amount >> 128n];
    const transaction = this.#signed(faucet, nonce, [token, selector, calldata]);
    const outcome = await submit(transaction);
    if (outcome.kind === "rejected") {
      throw new DevnetFault(`the faucet's transaction was refused: ${outcome.reason}`);
    }
    const hash = outcome.transactionHash;
    const receipt = await progress.until(async () => {
      const found = progress.receiptOf(hash);
      if (found !== undefined) return found;
      const reason = await rejectionOf(hash);
      if (reason === undefined) return undefined;
      throw new DevnetFault(`the faucet's transaction was rejected: ${reason}`);
    });
    const { status } = receipt;
    return {
      transactionHash: hash,
      revertReason: status.kind === "reverted" ? status.reason : null,
    };
  }

  #signed(
    faucet: Faucet,
    nonce: Felt,
    [to, selector, calldata]: readonly [to: Felt, selector: Felt, calldata: readonly Felt[]],
  ): InvokeV3 {
    const { chainId, gasPrices } = this.#deps;
    const prices = gasPrices();
    const bound = (name: keyof typeof MAX_GAS) => ({
      maxAmount: MAX_GAS[name],
      maxPricePerUnit: prices[name].fri * PRICE_MARGIN,
    });
    const unsigned: InvokeV3 = {
      type: "INVOKE",
      version: 3,
      signature: [],
      nonce,
      senderAddress: faucet.address,
      calldata: [1n, to, selector, BigInt(calldata.length), ...calldata],
      accountDeploymentData: [],
      proofFacts: [],
      resourceBounds: {
        l1Gas: bound("l1Gas"),
        l1DataGas: bound("l1DataGas"),
        l2Gas: bound("l2Gas"),
      },
      tip: 0n,
      paymasterData: [],
      nonceDataAvailabilityMode: 0,
      feeDataAvailabilityMode: 0,
    };
    const { r, s } = sign(faucet.privateKey, transactionHash(unsigned, chainId));
    return { ...unsigned, signature: [r, s] };
  }
}

function noFaucet(): DevnetFault {
  return new DevnetFault(
    "the chain has no faucet: it was created by an older version or not for development; start a new one with --reset",
  );
}

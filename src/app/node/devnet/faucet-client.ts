import { sign } from "#protocol/crypto/index.ts";
import { type GasPrices, type InvokeV3, transactionHash } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { DevnetFault, type MintOutcome } from "#api/rpc/index.ts";
import type { SubmitOutcome } from "#services/admission/index.ts";
import type { Faucet } from "#services/sequencer/index.ts";
import type { Progress } from "../production/progress.ts";
import { MintSelectors } from "./mint-selectors.ts";

/** Most requests for tokens that wait for those before them. */
export const MAX_WAITING_MINTS = 256;

/** Gas that a transaction of the faucet may use; it is charged for what it uses. */
const MAX_GAS = { l1Gas: 10_000n, l1DataGas: 10_000n, l2Gas: 20_000_000n } as const;

/** Prices may rise by this factor until the transaction is executed. */
const PRICE_MARGIN = 2n;

const LOW_128 = (1n << 128n) - 1n;

/** What the faucet works with. */
export interface FaucetClientDeps {
  readonly chainId: Felt;
  /** `null`: the chain was made without one. */
  readonly faucet: Faucet | null;
  /** The state after everything that was executed. */
  readonly state: () => StateReader;
  readonly gasPrices: () => GasPrices;
  readonly submit: (transaction: InvokeV3) => Promise<SubmitOutcome>;
  readonly rejectionOf: (hash: Felt) => Promise<string | undefined>;
  readonly progress: Pick<Progress, "until" | "receiptOf">;
}

/**
 * Makes tokens by ordinary transactions of the account that may mint: they are in blocks, survive a
 * restart, and whoever executes the chain again gets the same state.
 */
export class FaucetClient {
  readonly #deps: FaucetClientDeps;
  readonly #selectors = new MintSelectors();
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(deps: FaucetClientDeps) {
    this.#deps = deps;
  }

  /**
   * Mints, after what was asked for before; settles when the transaction is executed.
   *
   * @param amount - below 2^256
   * @throws {DevnetFault} when it cannot be sent
   */
  async mint(token: Felt, recipient: Felt, amount: bigint): Promise<MintOutcome> {
    if (this.#waiting >= MAX_WAITING_MINTS) {
      throw new DevnetFault("too many requests for tokens are waiting: ask again later");
    }
    this.#waiting++;
    // One after the other: each has the nonce after the one before.
    const turn = this.#last.then(() => this.#send(token, recipient, amount));
    this.#last = turn.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await turn;
    } finally {
      this.#waiting--;
    }
  }

  async #send(token: Felt, recipient: Felt, amount: bigint): Promise<MintOutcome> {
    const { faucet, state, submit, progress, rejectionOf } = this.#deps;
    if (faucet === null || state().classHashAt(faucet.address) === 0n) {
      throw new DevnetFault(
        "the chain has no faucet: it was made by an older version or for other than development; start a new one with --reset",
      );
    }
    const calldata = [recipient, amount & LOW_128, amount >> 128n];
    const selector = this.#selectors.of(token, state());
    const transaction = this.#signed(faucet, [token, selector, calldata]);
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
    [to, selector, calldata]: readonly [to: Felt, selector: Felt, calldata: readonly Felt[]],
  ): InvokeV3 {
    const { chainId, state, gasPrices } = this.#deps;
    const prices = gasPrices();
    const bound = (name: keyof typeof MAX_GAS) => ({
      maxAmount: MAX_GAS[name],
      maxPricePerUnit: prices[name].fri * PRICE_MARGIN,
    });
    const unsigned: InvokeV3 = {
      type: "INVOKE",
      version: 3,
      signature: [],
      nonce: state().nonceAt(faucet.address),
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

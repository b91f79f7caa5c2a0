import type { Felt, Timer } from "#base/primitives/index.ts";
import type { SyncStage } from "./messages.ts";
import type { BlockSource, BlockVerifier, CheckedBlock } from "./ports.ts";
import { BlockRefused, refuse } from "./refusal.ts";

/** What blocks are fetched and checked with. */
export interface CheckedBlocksDeps {
  readonly source: Pick<BlockSource, "wholeBlock" | "signature">;
  readonly verifier: BlockVerifier;
  readonly timer: Pick<Timer, "nowMs">;
  readonly onStage: (stage: SyncStage) => void;
}

/** Fetches blocks and has them checked, any number at a time. */
export class CheckedBlocks {
  readonly #deps: CheckedBlocksDeps;
  /** The gateways do not put signatures beside blocks: both are asked for at once. */
  #asksSignature = false;

  constructor(deps: CheckedBlocksDeps) {
    this.#deps = deps;
  }

  /**
   * A block that has passed every check that needs no state.
   *
   * @param publicKey - of the key that signs blocks
   * @param onText - hears how many bytes the answer has
   * @returns `undefined` when the gateway does not have the block
   * @throws {BlockRefused} when it is not right
   * @throws {NodeError} as the source does
   */
  async get(
    blockNumber: number,
    publicKey: Felt,
    onText: (sizeBytes: number) => void,
  ): Promise<CheckedBlock | undefined> {
    const { source, verifier } = this.#deps;
    for (;;) {
      const asksSignature = this.#asksSignature;
      const [text, signatureText] = await this.#timed("fetch", () =>
        Promise.all([
          source.wholeBlock(blockNumber),
          asksSignature ? source.signature(blockNumber) : undefined,
        ]),
      );
      if (text === undefined || (asksSignature && signatureText === undefined)) return undefined;
      onText(text.length);
      const request = { blockNumber, text, signatureText, publicKey };
      const outcome = await this.#timed("check", () => verifier.checkBlock(request));
      if (outcome.kind === "checked") return outcome;
      if (outcome.kind === "refused") throw new BlockRefused(outcome.refusal);
      if (asksSignature) {
        refuse("signature", blockNumber, `block ${blockNumber} has no signature that can be read`);
      }
      // The text is the verifier's by now: it is fetched once more.
      this.#asksSignature = true;
    }
  }

  async #timed<T>(stage: SyncStage["stage"], work: () => Promise<T>): Promise<T> {
    const { timer, onStage } = this.#deps;
    const beganMs = timer.nowMs();
    const result = await work();
    onStage({ kind: "stage", stage, seconds: (timer.nowMs() - beganMs) / 1000 });
    return result;
  }
}

import type { Felt, Timer } from "#base/primitives/index.ts";
import type { SyncStage } from "./messages.ts";
import type { BlockSource, BlockVerifier, CheckedBlock } from "./ports.ts";
import { BlockRefused, refuse } from "./refusal.ts";
import type { TextRoom } from "./text-room.ts";

type Text = Uint8Array<ArrayBuffer>;

/** What blocks are fetched and checked with. */
export interface CheckedBlocksDeps {
  readonly source: Pick<BlockSource, "wholeBlock" | "signature">;
  readonly verifier: BlockVerifier;
  readonly room: TextRoom;
  readonly timer: Pick<Timer, "nowMs">;
  readonly onStage: (stage: SyncStage) => void;
}

/** Fetches blocks and has them checked, any number at a time. */
export class CheckedBlocks {
  readonly #deps: CheckedBlocksDeps;
  /** The gateways do not put signatures beside blocks: both are asked for at once. */
  #asksSignature = false;
  /** What blocks were read from. */
  readonly #texts = new WeakMap<CheckedBlock, Text>();

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
    const { room, verifier } = this.#deps;
    for (;;) {
      const asksSignature = this.#asksSignature;
      let signatureText: Text | undefined;
      let about: Text | undefined;
      const outcome = await room.use(
        async () => {
          const [text, beside] = await this.#fetch(blockNumber, asksSignature);
          signatureText = beside;
          return asksSignature && beside === undefined ? undefined : text;
        },
        (text) => {
          about = text;
          onText(text.length);
          const request = { blockNumber, text, signatureText, publicKey };
          return this.#timed("check", () => verifier.checkBlock(request));
        },
      );
      if (outcome === undefined) return undefined;
      if (outcome.kind === "refused") throw new BlockRefused(outcome.refusal, about);
      if (outcome.kind === "checked") {
        if (about !== undefined) this.#texts.set(outcome, about);
        return outcome;
      }
      if (asksSignature) {
        refuse("signature", blockNumber, `block ${blockNumber} has no signature that can be read`);
      }
      // The text is the verifier's by now: it is fetched once more.
      this.#asksSignature = true;
    }
  }

  /**
   * Does something with a block.
   *
   * @throws what that does; a {@link BlockRefused} is about the answer that the block was read from
   */
  async blaming<T>(block: CheckedBlock, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BlockRefused)) throw error;
      throw new BlockRefused(error.refusal, this.#texts.get(block));
    }
  }

  #fetch(
    blockNumber: number,
    asksSignature: boolean,
  ): Promise<readonly [text: Text | undefined, signatureText: Text | undefined]> {
    const { source } = this.#deps;
    return this.#timed("fetch", () =>
      Promise.all([
        source.wholeBlock(blockNumber),
        asksSignature ? source.signature(blockNumber) : undefined,
      ]),
    );
  }

  async #timed<T>(stage: SyncStage["stage"], work: () => Promise<T>): Promise<T> {
    const { timer, onStage } = this.#deps;
    const beganMs = timer.nowMs();
    const result = await work();
    onStage({ kind: "stage", stage, seconds: (timer.nowMs() - beganMs) / 1000 });
    return result;
  }
}

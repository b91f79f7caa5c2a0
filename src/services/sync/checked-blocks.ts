import type { Felt, Timer } from "#base/primitives/index.ts";
import type { SyncStage } from "./messages.ts";
import type { BlockSource, BlockVerifier, CheckedBlock } from "./ports.ts";
import { BlockRefused, refuse } from "./refusal.ts";
import type { TextRoom } from "./text-room.ts";

type Text = Uint8Array<ArrayBuffer>;

/** Dependencies of {@link CheckedBlocks}. */
export interface CheckedBlocksDeps {
  readonly source: Pick<BlockSource, "wholeBlock" | "signature">;
  readonly verifier: BlockVerifier;
  readonly room: TextRoom;
  readonly timer: Pick<Timer, "nowMs">;
  readonly onStage: (stage: SyncStage) => void;
}

/** Fetches blocks and has them checked, any number concurrently. */
export class CheckedBlocks {
  readonly #deps: CheckedBlocksDeps;
  /** Whether the gateways omit signatures from blocks: both are then requested concurrently. */
  #fetchesSignature = false;
  /** Response that each block was read from. */
  readonly #texts = new WeakMap<CheckedBlock, Text>();

  constructor(deps: CheckedBlocksDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a block that has passed every check that needs no state.
   *
   * @param publicKey - public key of the block signer
   * @param onText - called with the size of the response in bytes
   * @returns `undefined` when the gateway does not have the block
   * @throws {BlockRefused} when the block fails a check
   * @throws {NodeError} as the source does
   */
  async get(
    blockNumber: number,
    publicKey: Felt,
    onText: (sizeBytes: number) => void,
  ): Promise<CheckedBlock | undefined> {
    const { room, verifier } = this.#deps;
    for (;;) {
      const fetchesSignature = this.#fetchesSignature;
      let signatureText: Text | undefined;
      let about: Text | undefined;
      const outcome = await room.use(
        async () => {
          const [text, signature] = await this.#fetch(blockNumber, fetchesSignature);
          signatureText = signature;
          return fetchesSignature && signature === undefined ? undefined : text;
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
      if (fetchesSignature) {
        refuse("signature", blockNumber, `block ${blockNumber} has no signature that can be read`);
      }
      // The text was moved to the verifier's thread, so it is fetched again.
      this.#fetchesSignature = true;
    }
  }

  /**
   * Runs work that uses a block. If the work refuses the block, the error has its hash, and names the response
   * that the block was read from.
   *
   * @throws {BlockRefused} with that response, when `work` throws one
   * @throws any other error of `work`
   */
  async blaming<T>(block: CheckedBlock, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BlockRefused)) throw error;
      const { refusal } = error;
      const isAboutIt = refusal.blockNumber === block.number;
      const named = isAboutIt ? { ...refusal, blockHash: block.hash } : refusal;
      throw new BlockRefused(named, this.#texts.get(block));
    }
  }

  #fetch(
    blockNumber: number,
    fetchesSignature: boolean,
  ): Promise<readonly [text: Text | undefined, signatureText: Text | undefined]> {
    const { source } = this.#deps;
    return this.#timed("fetch", () =>
      Promise.all([
        source.wholeBlock(blockNumber),
        fetchesSignature ? source.signature(blockNumber) : undefined,
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

import type { Felt } from "#base/primitives/index.ts";
import type { EncodedClass } from "#protocol/chain/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";
import type { PreConfirmedAnswer, PreConfirmedPart } from "#io/feeder/index.ts";
import type { BlockSource, DeclaredClassHash } from "../ports.ts";
import type { ClassesOfBlock } from "../prepared-classes.ts";
import { refuse, refusalOf } from "../refusal.ts";
import { type Executed, executedPart, requireHashes } from "./executed-part.ts";
import type { Layer } from "./layer.ts";
import { type Layers } from "./layers.ts";

/** Dependencies of a {@link PreConfirmedFollower}. */
export interface PreConfirmedDeps {
  readonly source: Pick<BlockSource, "preConfirmed">;
  readonly classes: { of(block: ClassesOfBlock): Promise<EncodedClass[]> };
  readonly layers: Layers;
  readonly chainId: Felt;
  /** Newest protocol version that the program supports. */
  readonly newestVersion: string;
}

type Whole = Extract<PreConfirmedAnswer, { readonly kind: "whole" }>["block"];

/**
 * Consecutive polls in which the gateway does not know a published block before the block counts as lost. A
 * replica may lag, and a block that was just accepted is no longer polled.
 */
export const MAX_MISSING = 4;

/**
 * Maximum number of classes per response that are fetched and compiled. Nobody has signed the response, and
 * classes of accepted blocks are compiled through the same queue.
 */
export const MAX_CLASSES_LOOKED_AT = 16;

/**
 * Follows the blocks above the accepted ones: polls for more of the topmost block, and for its successor. A
 * successor means that the topmost block is sealed: it is completed before the next one starts.
 */
export class PreConfirmedFollower {
  readonly #deps: PreConfirmedDeps;
  #missing = 0;

  constructor(deps: PreConfirmedDeps) {
    this.#deps = deps;
  }

  /**
   * Polls once.
   *
   * @returns whether the gateway has the requested block as pre-confirmed
   * @throws {BlockRefused} when the gateway's data is invalid
   * @throws {NodeError} as the source does
   */
  async poll(): Promise<boolean> {
    const { source, layers } = this.#deps;
    const number = layers.growing;
    const before = layers.top;
    const answer = await source.preConfirmed(number, before?.known);
    if (layers.growing !== number || layers.top !== before) return answer !== undefined;
    if (answer === undefined) {
      this.#unknown();
      return false;
    }
    this.#missing = 0;
    await this.#take(number, answer, false);
    await this.#takeNext(number);
    return true;
  }

  /** Starts the block after the topmost one, if the gateway has it. */
  async #takeNext(number: number): Promise<void> {
    const { source, layers } = this.#deps;
    const top = layers.top;
    if (top?.number !== number) return;
    const next = await source.preConfirmed(number + 1, undefined);
    if (next?.kind !== "whole" || next.block.info.number !== number + 1) return;
    const rest = await source.preConfirmed(number, top.known);
    // Accepted meanwhile: the complete block arrives with the accepted ones.
    if (rest === undefined || layers.top !== top) return;
    await this.#take(number, rest, true);
    if (layers.top?.number === number && layers.top.isComplete) {
      await this.#take(number + 1, next, false);
    }
  }

  #unknown(): void {
    const { layers } = this.#deps;
    if (layers.top === undefined) return;
    if (++this.#missing < MAX_MISSING) return;
    this.#missing = 0;
    layers.lose();
  }

  async #take(number: number, answer: PreConfirmedAnswer, isLast: boolean): Promise<void> {
    const { layers } = this.#deps;
    const { top } = layers;
    if (answer.kind === "unchanged") {
      if (top?.number === number) layers.grow(top, [], [], isLast);
      return;
    }
    if (answer.kind === "more") {
      if (
        top?.number === number &&
        answer.number === number &&
        answer.identifier === top.identifier
      )
        await this.#grow(top, this.#checked(number, answer), isLast);
      return;
    }
    const { block } = answer;
    if (block.info.number !== number) {
      refuse("block_number", number, `pre-confirmed block ${number}: found ${block.info.number}`);
    }
    const { newestVersion } = this.#deps;
    const { protocolVersion } = block.info;
    if (compareProtocolVersions(protocolVersion, newestVersion) > 0) {
      const found = `of protocol version ${protocolVersion}, newer than ${newestVersion}`;
      refuse("protocol_version", number, `pre-confirmed block ${number} is ${found}`);
    }
    if (top?.number === number) await this.#takeAgain(top, block, isLast);
    else await this.#open(number, block);
  }

  async #open(number: number, block: Whole): Promise<void> {
    const { layers } = this.#deps;
    const below = layers.top;
    const executed = this.#checked(number, block);
    const classes = await this.#classesOf(block, executed);
    const isNext = layers.growing + (below === undefined ? 0 : 1) === number;
    if (layers.top === below && isNext) layers.open(block, executed, classes);
  }

  /** Handles the full content of a block that is partly known. */
  async #takeAgain(top: Layer, block: Whole, isLast: boolean): Promise<void> {
    const { layers } = this.#deps;
    const executed = executedPart(top.number, block);
    const hashes = executed.map(({ transaction }) => transaction.hash);
    const isSame = block.identifier === top.identifier;
    if (top.isPrefixOf(hashes)) {
      const known = isSame ? top.hashes.length : 0;
      const fresh = requireHashes(top.number, executed.slice(known), this.#deps.chainId);
      if (isSame) {
        await this.#grow(top, fresh, isLast);
        return;
      }
      if (layers.count === 1) {
        const classes = await this.#classesOf(block, fresh);
        if (layers.top === top) layers.replace(block, fresh, classes, isLast);
        return;
      }
    } else if (isSame && hashes.every((hash, i) => top.hashes[i] === hash)) {
      // An older response about the same block.
      return;
    }
    // The block no longer contains what was published. The next poll fetches its new content.
    layers.lose();
  }

  async #grow(layer: Layer, executed: readonly Executed[], isLast: boolean): Promise<void> {
    const { layers } = this.#deps;
    const count = layer.hashes.length;
    const classes = await this.#classesOf({ info: layer.info }, executed);
    if (layers.top !== layer || layer.hashes.length !== count) return;
    layers.grow(layer, executed, classes, isLast);
  }

  #checked(number: number, part: PreConfirmedPart): readonly Executed[] {
    return requireHashes(number, executedPart(number, part), this.#deps.chainId);
  }

  /**
   * Returns the classes that transactions declare. A class that is unavailable or invalid, or exceeds the
   * maximum number, is omitted until it is accepted.
   */
  async #classesOf(
    { info }: Pick<Whole, "info">,
    executed: readonly Executed[],
  ): Promise<EncodedClass[]> {
    const declared = executed.flatMap(({ stateDiff }) => [
      ...[...stateDiff.declaredClasses].map(
        ([classHash, compiledClassHash]): DeclaredClassHash => ({
          classHash,
          compiledClassHash,
          migratedHash: null,
        }),
      ),
      ...[...stateDiff.deprecatedDeclaredClasses].map((classHash): DeclaredClassHash => ({
        classHash,
        compiledClassHash: null,
        migratedHash: null,
      })),
    ]);
    if (declared.length === 0) return [];
    const { number, protocolVersion } = info;
    const each = declared
      .slice(0, MAX_CLASSES_LOOKED_AT)
      .map(async (one): Promise<EncodedClass[]> => {
        try {
          return await this.#deps.classes.of({
            ...{ number, protocolVersion },
            ...{ classes: [one], carried: [] },
          });
        } catch (error) {
          if (refusalOf(error) === undefined) throw error;
          return [];
        }
      });
    return (await Promise.all(each)).flat();
  }
}

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

/** What blocks that are not accepted are followed with. */
export interface PreConfirmedDeps {
  readonly source: Pick<BlockSource, "preConfirmed">;
  readonly classes: { of(block: ClassesOfBlock): Promise<EncodedClass[]> };
  readonly layers: Layers;
  readonly chainId: Felt;
  /** The newest protocol version that the program knows. */
  readonly newestVersion: string;
}

type Whole = Extract<PreConfirmedAnswer, { readonly kind: "whole" }>["block"];

/**
 * Times in a row that a block which was told of has to be unknown to the gateway before it counts as
 * lost: a replica may not have it yet, and a block that was just accepted is not asked for any more.
 */
export const MAX_MISSING = 4;

/**
 * Most classes of one answer that are fetched and compiled: nobody has signed it, and accepted blocks have
 * theirs compiled in the same turns.
 */
export const MAX_CLASSES_LOOKED_AT = 16;

/**
 * Follows the blocks above the accepted ones: asks for what is new of the topmost one, and for the one
 * after it. That there is one says that the topmost is sealed: it is completed before the next begins.
 */
export class PreConfirmedFollower {
  readonly #deps: PreConfirmedDeps;
  #missing = 0;

  constructor(deps: PreConfirmedDeps) {
    this.#deps = deps;
  }

  /**
   * Looks once.
   *
   * @returns whether the gateway has the block that was asked for among those that are not accepted
   * @throws {BlockRefused} when what the gateway tells is not right
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

  /** The block after the topmost one, if there is one. */
  async #takeNext(number: number): Promise<void> {
    const { source, layers } = this.#deps;
    const top = layers.top;
    if (top?.number !== number) return;
    const next = await source.preConfirmed(number + 1, undefined);
    if (next?.kind !== "whole" || next.block.info.number !== number + 1) return;
    const rest = await source.preConfirmed(number, top.known);
    // It was accepted meanwhile: all of it comes with that.
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
      refuse("block_number", number, `pre-confirmed block ${number}: told ${block.info.number}`);
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

  /** The whole of a block of which something is known. */
  async #takeAgain(top: Layer, block: Whole, isLast: boolean): Promise<void> {
    const { layers } = this.#deps;
    const executed = executedPart(top.number, block);
    const hashes = executed.map(({ transaction }) => transaction.hash);
    const isSame = block.identifier === top.identifier;
    if (top.isBegunBy(hashes)) {
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
      // An older answer about the same block.
      return;
    }
    // What was told is not part of it any more. What there is instead comes with the next look.
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
   * What transactions declare; a class that is not to be had, or not right, or one of too many, is left out
   * until it is accepted.
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

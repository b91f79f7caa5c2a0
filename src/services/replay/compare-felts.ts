import type { Felt } from "#base/primitives/index.ts";
import { FeltDigest, FeltDigester, type RemoteFelts } from "#io/client/index.ts";
import { FeltBlock, type Felts } from "#kernels/vm/index.ts";
import { differ, requireSame, type TransactionPlace } from "./difference.ts";

/** Compares lists of felts, in any local form, with the node's, of which long ones are digests. */
export class FeltComparison {
  readonly #digester = new FeltDigester();
  /** Digests by content: calls pass the same lists on, and each is hashed once. */
  readonly #digests = new WeakMap<object, FeltDigest>();

  /**
   * Requires two lists to be the same. The error names the first felt that differs; where the node's list is
   * a digest, it names the block of felts.
   *
   * @throws {DifferenceFound} when they differ
   */
  requireSame(
    field: string,
    ours: Felts,
    theirs: RemoteFelts,
    transaction: TransactionPlace,
  ): void {
    requireSame(`${field}.length`, ours.length, theirs.length, transaction);
    if (theirs instanceof FeltDigest) {
      return this.#requireSameDigest(field, ours, theirs, transaction);
    }
    for (const [i, other] of theirs.entries()) {
      const value = feltAt(ours, i);
      if (other !== value) differ(`${field}[${i}]`, value, other, transaction);
    }
  }

  #requireSameDigest(
    field: string,
    ours: Felts,
    theirs: FeltDigest,
    transaction: TransactionPlace,
  ): void {
    const own = this.#digestOf(ours);
    const block = own.firstDifference(theirs);
    if (block === undefined) return;
    const shown = ({ text }: FeltDigest): string => `felts with the digest ${text}`;
    differ(`${field}[${block.join("..")}]`, shown(own), shown(theirs), transaction);
  }

  #digestOf(felts: Felts): FeltDigest {
    const content = felts instanceof FeltBlock ? felts.content : felts;
    let digest = this.#digests.get(content);
    if (digest === undefined) {
      this.#digester.clear();
      for (let i = 0; i < felts.length; i++) this.#digester.add(feltAt(felts, i));
      this.#digests.set(content, (digest = this.#digester.digest()));
    }
    return digest;
  }
}

/** Reads one felt below the length, in any form of list, without unpacking the whole. */
function feltAt(felts: Felts, index: number): Felt {
  return felts.at(index) as Felt;
}

import type { Felt } from "#base/primitives/index.ts";
import { FeltDigest, FeltDigester, type RemoteFelts } from "#io/client/index.ts";
import { FeltBlock, type Felts } from "#kernels/vm/index.ts";
import { differ, requireSame, type TransactionPlace } from "./difference.ts";

/** Compares lists of felts, ours in any form, with those of a node, of which long ones are digests. */
export class FeltComparison {
  readonly #digester = new FeltDigester();
  /** By their content: calls hand the same lists to each other, and each is hashed once. */
  readonly #digests = new WeakMap<object, FeltDigest>();

  /**
   * Ends a replay when two lists are not the same: at the first felt that is another one, or where the
   * node's is a digest at the block of felts that has it.
   *
   * @throws {DifferenceFound} then
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

/** The felt at an index below the length, whatever the form of the list: none is unpacked as a whole. */
function feltAt(felts: Felts, index: number): Felt {
  return felts.at(index) as Felt;
}

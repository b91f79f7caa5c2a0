import { sha256 } from "#protocol/crypto/index.ts";
import { bytesFromFelt, type Felt } from "#base/primitives/index.ts";

const NAME = Buffer.from("appchain RandomEcPoint");

/**
 * Seed scalar, of 256 bits, for the random curve points of a machine run. It is a hash, so that a transaction
 * has the same points in every thread, and different transactions have different ones. A contract must not
 * depend on them; only one written against its own sender can.
 *
 * @param origin - the transaction's hash, or the complete request of a call
 * @param phase - phase of the transaction
 * @param run - number of earlier machine runs in the phase
 */
export function pointScalar(origin: readonly Felt[], phase: string, run: number): bigint {
  const bytes = [
    NAME,
    Buffer.from(`${phase} ${run} `),
    ...origin.map((felt) => bytesFromFelt(felt)),
  ];
  return BigInt(`0x${sha256(Buffer.concat(bytes)).toHex()}`);
}

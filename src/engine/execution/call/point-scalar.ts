import { sha256 } from "#protocol/crypto/index.ts";
import { bytesFromFelt, type Felt } from "#base/primitives/index.ts";

const NAME = Buffer.from("appchain RandomEcPoint");

/**
 * The scalar that a run's random curve points begin with, of 256 bits: a hash, so that the same
 * transaction has the same points in every thread, and two transactions have different ones. A
 * contract must not depend on them, and only one that is written against its own sender can.
 *
 * @param origin - the transaction's hash, or the whole request of a call
 * @param phase - the phase of the transaction
 * @param run - how many runs of the machine the phase had before
 */
export function pointScalar(origin: readonly Felt[], phase: string, run: number): bigint {
  const bytes = [
    NAME,
    Buffer.from(`${phase} ${run} `),
    ...origin.map((felt) => bytesFromFelt(felt)),
  ];
  return BigInt(`0x${sha256(Buffer.concat(bytes)).toHex()}`);
}

import { verify } from "#protocol/crypto/index.ts";
import type { Address, VmKernel } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { addressText } from "../failure-text.ts";

/** Cells of an instance of the signature builtin: public key and message hash. */
const CELLS = 2;

/** Signatures that hints supplied for the instances of the signature builtin. */
export class Signatures {
  readonly segment: number | undefined;
  readonly #byOffset = new Map<number, readonly [r: Felt, s: Felt]>();

  /** @param segment - of the builtin; `undefined` when the program does not use it */
  constructor(segment: number | undefined) {
    this.segment = segment;
  }

  /** Supplies a signature; the first one of an instance counts. */
  add(offset: number, r: Felt, s: Felt): void {
    if (!this.#byOffset.has(offset)) this.#byOffset.set(offset, [r, s]);
  }

  /**
   * Checks the instance that a written cell belongs to.
   *
   * @returns text of what is wrong; `undefined` when it is right or not complete yet
   */
  check(kernel: Pick<VmKernel, "read">, { segment, offset }: Address): string | undefined {
    const isMessage = offset % CELLS === 1;
    const keyAddress = { segment, offset: offset - (offset % CELLS) };
    const messageAddress = { segment, offset: keyAddress.offset + 1 };
    const key = kernel.read(keyAddress);
    if (typeof key !== "bigint") {
      return isMessage
        ? undefined
        : `ECDSA builtin: Expected public key at address ${addressText(keyAddress)} to be an integer`;
    }
    const message = kernel.read(messageAddress);
    if (typeof message !== "bigint") {
      return isMessage
        ? `ECDSA builtin: Expected message hash at address ${addressText(messageAddress)} to be an integer`
        : undefined;
    }
    const signature = this.#byOffset.get(keyAddress.offset);
    if (signature === undefined) {
      return (
        `Signature hint is missing for ECDSA builtin at address ${addressText(keyAddress)}.\n` +
        "    Add it using 'ecdsa_builtin.add_signature'."
      );
    }
    const [r, s] = signature;
    if (verify(key, message, r, s)) return undefined;
    return (
      `Signature (${r}, ${s}), is invalid, with respect to the public key ${key}, \n` +
      `    and the message hash ${message}.`
    );
  }
}

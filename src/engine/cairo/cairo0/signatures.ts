import { verify } from "#protocol/crypto/index.ts";
import type { Address, VmKernel } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { addressText } from "../failure-text.ts";

/** Cells per instance of the signature builtin: public key and message hash. */
const CELLS = 2;

/** Signatures that hints supplied for instances of the signature builtin. */
export class Signatures {
  readonly segment: number | undefined;
  readonly #byOffset = new Map<number, readonly [r: Felt, s: Felt]>();

  /** @param segment - segment of the builtin; `undefined` when the program does not use it */
  constructor(segment: number | undefined) {
    this.segment = segment;
  }

  /** Supplies a signature; only the first one per instance counts. */
  add(offset: number, r: Felt, s: Felt): void {
    if (!this.#byOffset.has(offset)) this.#byOffset.set(offset, [r, s]);
  }

  /**
   * Checks the instance that contains a written cell.
   *
   * @returns the error text; `undefined` when the instance is valid or incomplete
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

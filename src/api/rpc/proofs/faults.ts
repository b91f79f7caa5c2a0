import { AppError } from "#base/errors/index.ts";
import type { RpcErrorObject } from "../spec/version.ts";

/**
 * Error of a request for proofs that the specification does not define. Codes and messages are Pathfinder's,
 * which clients of the public networks know.
 *
 * Source: eqlabs/pathfinder, specs/rpc/pathfinder_rpc_api.json, PROOF_LIMIT_EXCEEDED and PROOF_MISSING.
 */
export class ProofFault extends AppError {
  readonly error: RpcErrorObject;

  private constructor(name: string, error: RpcErrorObject) {
    super(`RPC_${name}`, error.message);
    this.error = error;
  }

  /** More keys than one request may contain. */
  static tooManyKeys(limit: number, requested: number): ProofFault {
    return new ProofFault("PROOF_LIMIT_EXCEEDED", {
      code: 10000,
      message: "Too many storage keys requested",
      data: { limit, requested },
    });
  }

  /**
   * The proofs of the block are not kept.
   *
   * @param reason - names the oldest block whose proofs are kept
   */
  static missing(reason: string): ProofFault {
    return new ProofFault("PROOF_MISSING", {
      code: 10001,
      message: "Merkle trie proof is not available",
      data: reason,
    });
  }
}

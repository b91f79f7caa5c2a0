import { OriginError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { remoteProof, type RemoteProof, RpcRefusal } from "#io/client/index.ts";
import {
  POSEIDON,
  type ProofNode,
  proofNodeHash,
  STATE_TRIE_HEIGHT,
  stateRootHash,
} from "#protocol/trie/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import { wrongAnswer } from "../errors.ts";
import type { OriginTask } from "../rpc/pending.ts";
import type { OriginCaller } from "./caller.ts";
import { type BlockIdJson, smallCall } from "./calls.ts";
import { type ForkBlocks, type ForkPoint, requireSameHash } from "./fork-blocks.ts";
import { RPC_CODES } from "./rpc-codes.ts";

/** Error codes for proofs that the origin will not give later either: the fork block only gets older. */
const LASTING_CODES: ReadonlySet<number> = new Set([
  RPC_CODES.methodNotFound,
  RPC_CODES.proofNotSupported,
]);

/** Reads leaves of the classes trie of the fork block, and verifies their proofs. */
export class ClassLeaves {
  readonly #caller: OriginCaller;
  readonly #blocks: ForkBlocks;
  #hasProofs = true;

  constructor(caller: OriginCaller, blocks: ForkBlocks) {
    this.#caller = caller;
    this.#blocks = blocks;
  }

  /**
   * Reads the leaf of a class.
   *
   * @returns 0 when the class has no leaf; `undefined` when the origin does not prove it
   * @throws {OriginError} ORIGIN_BAD_ANSWER for a wrong proof, and as `ForkBlocks.at`
   */
  async read(classHash: Felt, task: OriginTask): Promise<Felt | undefined> {
    if (!this.#hasProofs) return undefined;
    const { fork } = this.#blocks;
    const params = { class_hashes: [hexFromFelt(classHash)] };
    const read = (id: BlockIdJson) => {
      const call = smallCall("getStorageProof", { block_id: id, ...params });
      return this.#caller.read(call, remoteProof, task);
    };
    try {
      const { value, name } = await this.#blocks.at(fork.number, read, task);
      requireSameHash(name, fork.number, fork.hash, value.blockHash);
      requireRoots(value, fork, name);
      return provenLeaf(value, classHash, name);
    } catch (error) {
      // Only some nodes prove, and most only recent blocks.
      const refusal = refusalBehind(error);
      if (refusal === undefined) throw error;
      if (LASTING_CODES.has(refusal.rpcCode)) this.#hasProofs = false;
      return undefined;
    }
  }
}

/** Response of the origin that caused an error; `undefined` for errors that may pass. */
function refusalBehind(error: unknown): RpcRefusal | undefined {
  if (!(error instanceof OriginError) || error.retryable) return undefined;
  return error.cause instanceof RpcRefusal ? error.cause : undefined;
}

function requireRoots(
  { contractsRoot, classesRoot }: RemoteProof,
  { number, newRoot, protocolVersion }: ForkPoint,
  name: string,
): void {
  const { alwaysHashClasses } = protocolRules(protocolVersion);
  if (stateRootHash(contractsRoot, classesRoot, alwaysHashClasses) === newRoot) return;
  throw wrongAnswer(
    `${name}: the roots of a storage proof do not give the root of block ${number}`,
  );
}

/** Follows the path to a class; 0 when the proof shows that it has no leaf. */
function provenLeaf({ classes, classesRoot }: RemoteProof, classHash: Felt, name: string): Felt {
  const wrong = `${name}: a storage proof does not lead to class ${hexFromFelt(classHash)}`;
  const nodes = new Map<Felt, ProofNode>(classes.map((node) => [node.hash, node]));
  let expected = classesRoot;
  let height = STATE_TRIE_HEIGHT;
  if (expected === 0n) return 0n;
  while (height > 0) {
    const node = nodes.get(expected);
    if (node === undefined || proofNodeHash(node, POSEIDON) !== expected) throw wrongAnswer(wrong);
    if (node.kind === "binary") {
      height--;
      expected = ((classHash >> BigInt(height)) & 1n) === 0n ? node.left : node.right;
      continue;
    }
    if (node.length > height) throw wrongAnswer(wrong);
    height -= node.length;
    const part = (classHash >> BigInt(height)) & ((1n << BigInt(node.length)) - 1n);
    if (part !== node.path) return 0n;
    expected = node.child;
  }
  return expected;
}

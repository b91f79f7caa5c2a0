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
import { smallCall } from "./calls.ts";
import type { ForkBlocks, ForkPoint } from "./fork-blocks.ts";
import { requireSameHash } from "./fork-blocks.ts";

/**
 * Reads the leaf of a class in the classes trie of the fork block, with its proof.
 *
 * @returns `undefined` when the origin does not prove it
 * @throws {OriginError} ORIGIN_BAD_ANSWER for a wrong proof, and as `ForkBlocks.at`
 */
export async function readClassLeaf(
  caller: OriginCaller,
  blocks: ForkBlocks,
  classHash: Felt,
  task: OriginTask,
): Promise<Felt | undefined> {
  const { fork } = blocks;
  const params = { class_hashes: [hexFromFelt(classHash)] };
  try {
    const { value, name } = await blocks.at(
      fork.number,
      (id) =>
        caller.read(smallCall("getStorageProof", { block_id: id, ...params }), remoteProof, task),
      task,
    );
    requireSameHash(name, fork.number, fork.hash, value.blockHash);
    requireRoots(value, fork, name);
    return provenLeaf(value, classHash, name);
  } catch (error) {
    if (isUnproven(error)) return undefined;
    throw error;
  }
}

/** Whether the origin refused to prove: only some nodes do, and most only for recent blocks. */
function isUnproven(error: unknown): boolean {
  return error instanceof OriginError && !error.retryable && error.cause instanceof RpcRefusal;
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

import { parseJson, stringifyJson } from "#base/codec/index.ts";
import { DecodeError, OriginError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { remoteClass } from "#io/client/index.ts";
import {
  casmClassCodec,
  casmClassFromJson,
  casmHashFunctionOf,
  type CasmClass,
  classHashMismatch,
  compiledClassHash,
  type ContractClass,
  encodeContractClass,
  pythonicJson,
  type SierraClass,
} from "#protocol/chain/index.ts";
import { classLeaf } from "#protocol/trie/index.ts";
import { refused, wrongAnswer } from "../errors.ts";
import type { OriginQuery } from "../query.ts";
import type { OriginTask } from "../rpc/pending.ts";
import { encodeOriginClass } from "../values.ts";
import type { OriginCaller } from "./caller.ts";
import { type BlockIdJson, largeCall, numberId } from "./calls.ts";
import type { ClassLeaves } from "./class-leaf.ts";
import type { ForkBlocks } from "./fork-blocks.ts";
import type { OuterFork } from "./outer-fork.ts";
import { isRefusal, orAbsent, RPC_CODES } from "./rpc-codes.ts";

/** Compiler of an origin's Sierra classes. */
export interface ClassCompiler {
  /**
   * Compiles a Sierra class.
   *
   * @returns the compiled class as JSON text; `undefined` when this compiler cannot compile it
   */
  compile(classHash: Felt, contractClass: SierraClass): Promise<string | undefined>;
}

/** Dependencies of {@link readClass}. */
export interface ClassSource {
  readonly caller: OriginCaller;
  readonly blocks: ForkBlocks;
  readonly leaves: ClassLeaves;
  readonly outer: OuterFork;
  readonly compiler: ClassCompiler;
  /** Clock of the deadlines, in milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Reads a class with its code.
 *
 * @returns the encoded class; `null` when it is not declared
 * @throws {OriginError} ORIGIN_BAD_ANSWER for another class or other code, and as `ForkBlocks.at`
 */
export async function readClass(
  source: ClassSource,
  { block, classHash }: Extract<OriginQuery, { readonly kind: "class" }>,
  task: OriginTask,
): Promise<Uint8Array | null> {
  const { caller, blocks, leaves, compiler, outer, nowMs } = source;
  const absence = RPC_CODES.classHashNotFound;
  const params = { class_hash: hexFromFelt(classHash) };
  const readAt = (id: BlockIdJson) =>
    caller.read(largeCall("getClass", { ...params, block_id: id }), remoteClass, task);
  const reading = blocks.at(block, readAt, task, absence).catch(async (error: unknown) => {
    // A fork by starknet-devnet asks the network that it continues, which lacks the block.
    const outerBlock = isLackOfBlock(error) ? await outer.block(task) : undefined;
    if (outerBlock === undefined || outerBlock >= block) throw error;
    return readAt(numberId(outerBlock));
  });
  const compiling = orAbsent(reading, absence).then(async (read) => {
    if (read === undefined) return undefined;
    const contractClass = hashedClass(read.value, classHash, read.name);
    if (contractClass.kind === "legacy") return { contractClass, own: undefined };
    const startedAtMs = nowMs();
    const own = await compiler.compile(classHash, contractClass);
    // The origin has as much time left for the next response as before.
    task.endsAtMs += nowMs() - startedAtMs;
    return { contractClass, own };
  });
  // The hash in the state is requested with the class, not after it.
  const [compiled, leaf] = await Promise.allSettled([compiling, leaves.read(classHash, task)]);
  if (compiled.status === "rejected") throw compiled.reason;
  if (compiled.value === undefined) return null;
  const { contractClass, own } = compiled.value;
  const encoded = encodeContractClass(contractClass);
  if (contractClass.kind === "legacy") {
    return encodeOriginClass({ contractClass: encoded, casmJson: null, compiledClassHash: 0n });
  }
  if (leaf.status === "rejected") throw leaf.reason;
  const code = await readCode(source, { classHash, own, leaf: leaf.value }, task);
  return encodeOriginClass({ contractClass: encoded, ...code });
}

function isLackOfBlock(error: unknown): boolean {
  return error instanceof OriginError && isRefusal(error.cause, RPC_CODES.blockNotFound);
}

/** Returns the class in the form that has the requested hash. */
function hashedClass(contractClass: ContractClass, classHash: Felt, name: string): ContractClass {
  const wrong = `${name}: the class returned for ${hexFromFelt(classHash)} is another one`;
  const isRight = (form: ContractClass): boolean =>
    classHashMismatch(form, classHash) === undefined;
  try {
    if (isRight(contractClass)) return contractClass;
    if (contractClass.kind === "sierra") {
      // starknet-devnet omits the spaces of the ABI of its shipped classes, which the hash covers.
      const abi = pythonicJson(parseJson(contractClass.abi));
      const spaced = { ...contractClass, abi };
      if (isRight(spaced)) return spaced;
    }
  } catch (cause) {
    throw cause instanceof DecodeError ? wrongAnswer(wrong, cause) : cause;
  }
  throw wrongAnswer(wrong);
}

/** A class with what is known about its code. */
interface CompiledHere {
  readonly classHash: Felt;
  /** Code as JSON text; `undefined` when this compiler cannot compile the class. */
  readonly own: string | undefined;
  /** Leaf of the class in the state; `undefined` when the origin does not prove it. */
  readonly leaf: Felt | undefined;
}

interface Code {
  readonly casmJson: string;
  readonly compiledClassHash: Felt;
}

/** Returns code whose hash is that of the state: compiled here, otherwise the origin's. */
async function readCode(
  { caller, blocks }: Pick<ClassSource, "caller" | "blocks">,
  { classHash, own, leaf }: CompiledHere,
  task: OriginTask,
): Promise<Code> {
  const name = `class ${hexFromFelt(classHash)}`;
  if (leaf === 0n) {
    throw wrongAnswer(`${caller.names}: ${name} has no leaf in the classes trie`);
  }
  const { protocolVersion } = blocks.fork;
  if (own !== undefined) {
    const hash = hashInState(casmClassFromJson(own), leaf, protocolVersion);
    if (hash !== undefined) return { casmJson: own, compiledClassHash: hash };
  }
  const call = largeCall("getCompiledCasm", { class_hash: hexFromFelt(classHash) });
  const reading = caller.read(call, casmClassCodec, task);
  const theirs = await orAbsent(reading, RPC_CODES.methodNotFound);
  if (theirs === undefined) {
    const why = own === undefined ? "cannot be compiled here" : "has other code when compiled here";
    throw refused(`${name} ${why}, and ${caller.names} has no method getCompiledCasm`);
  }
  const hash = hashInState(theirs.value, leaf, protocolVersion);
  if (hash === undefined) {
    throw wrongAnswer(`${theirs.name}: the code of ${name} does not have the hash in the state`);
  }
  return { casmJson: stringifyJson(casmClassCodec.encode(theirs.value)), compiledClassHash: hash };
}

/**
 * Returns which hash of code the state of the fork block has; `undefined` if it has neither. Without a proof,
 * the hash by the protocol version of the fork block.
 */
function hashInState(
  casm: CasmClass,
  leaf: Felt | undefined,
  protocolVersion: string,
): Felt | undefined {
  const first = casmHashFunctionOf(protocolVersion);
  const newest = compiledClassHash(casm, first);
  if (leaf === undefined || classLeaf(newest) === leaf) return newest;
  // Classes keep the hash of the version that declared them until they are migrated.
  const other = compiledClassHash(casm, first === "blake" ? "poseidon" : "blake");
  return classLeaf(other) === leaf ? other : undefined;
}

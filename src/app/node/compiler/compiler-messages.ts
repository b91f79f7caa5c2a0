import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { CompilerAnswer } from "#services/admission/index.ts";

/** Longest request that the child takes: several times the largest class that is declared. */
export const MAX_REQUEST_BYTES = 32 << 20;

/** Longest answer that the node takes: several times the code of the largest class. */
export const MAX_ANSWER_BYTES = 128 << 20;

/** What the child says about a class. */
export type ChildAnswer = Extract<CompilerAnswer, { readonly kind: "compiled" | "failed" }>;

/** Where the child keeps what it has compiled. */
export interface ArchivePlace {
  /** Absolute path of a database of compiled classes, which is made when it is not there. */
  readonly path: string;
  readonly chainId: string;
}

/** A class to compile. */
export interface CompileCommand {
  /** `null`: nothing is kept. */
  readonly archive: ArchivePlace | null;
  /** The class hash of the class. */
  readonly classHash: Felt;
  /** Most felts of bytecode that the class may have. */
  readonly maxBytecodeSize: number;
  /** The class of `encodeContractClass`. */
  readonly classBytes: Uint8Array;
}

/** A command as bytes. */
export function encodeCommand(command: CompileCommand): Uint8Array {
  const writer = new ByteWriter(command.classBytes.byteLength + 256);
  writer.nullable(command.archive, (to, { path, chainId }) => {
    to.text(path);
    to.text(chainId);
  });
  writer.felt(command.classHash);
  writer.varint(command.maxBytecodeSize);
  writer.raw(command.classBytes);
  return writer.finish();
}

/**
 * The command that bytes hold.
 *
 * @throws {DecodeError} when they do not begin with canonical fields
 */
export function decodeCommand(bytes: Uint8Array): CompileCommand {
  const reader = new ByteReader(bytes, "command");
  return {
    archive: reader.nullable((from) => ({ path: from.text(), chainId: from.text() })),
    classHash: reader.felt(),
    maxBytecodeSize: reader.varint(),
    classBytes: reader.raw(reader.remaining),
  };
}

const KIND_COMPILED = 0;
const KIND_FAILED = 1;

/** An answer as bytes. */
export function encodeAnswer(answer: ChildAnswer): Uint8Array {
  const writer = new ByteWriter();
  if (answer.kind === "compiled") {
    writer.u8(KIND_COMPILED);
    writer.felt(answer.compiled.hashes.poseidon);
    writer.felt(answer.compiled.hashes.blake);
    writer.varint(answer.compiled.bytecodeLength);
    writer.text(answer.compiled.casmJson);
  } else {
    writer.u8(KIND_FAILED);
    writer.text(answer.code);
    writer.text(answer.message);
  }
  return writer.finish();
}

/**
 * The answer that bytes hold.
 *
 * @throws {DecodeError} when they are not exactly one canonical answer
 */
export function decodeAnswer(bytes: Uint8Array): ChildAnswer {
  const reader = new ByteReader(bytes, "answer");
  const answer = readAnswer(reader);
  reader.end();
  return answer;
}

function readAnswer(reader: ByteReader): ChildAnswer {
  if (reader.index(2, "kind of answer") === KIND_FAILED) {
    return { kind: "failed", code: reader.text(), message: reader.text() };
  }
  const hashes = { poseidon: reader.felt(), blake: reader.felt() };
  const bytecodeLength = reader.varint();
  return { kind: "compiled", compiled: { hashes, bytecodeLength, casmJson: reader.text() } };
}

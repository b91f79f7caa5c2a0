import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { CompilerAnswer } from "#services/admission/index.ts";

/** Maximum request size that the child accepts: several times the largest class that can be declared. */
export const MAX_REQUEST_BYTES = 32 << 20;

/** Maximum answer size that the node accepts: several times the code of the largest class. */
export const MAX_ANSWER_BYTES = 128 << 20;

/** Child's result for a class. */
export type ChildAnswer = Extract<CompilerAnswer, { readonly kind: "compiled" | "failed" }>;

/** Location of the child's store of compiled classes. */
export interface ArchivePlace {
  /** Absolute path of a database of compiled classes; created if missing. */
  readonly path: string;
  readonly chainId: string;
}

/** A class to compile. */
export interface CompileCommand {
  /** `null` to store nothing. */
  readonly archive: ArchivePlace | null;
  readonly classHash: Felt;
  /** Maximum bytecode length of the class, in felts. */
  readonly maxBytecodeSize: number;
  /** Class encoded by `encodeContractClass`. */
  readonly classBytes: Uint8Array;
}

/** Encodes a command. */
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
 * Decodes a command.
 *
 * @throws {DecodeError} when the bytes do not start with canonical fields
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

/** Encodes an answer. */
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
 * Decodes an answer.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical answer
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

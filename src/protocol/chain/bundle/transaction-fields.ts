import { invariant } from "#base/errors/index.ts";
import type { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type {
  DataAvailabilityMode,
  ResourceBound,
  ResourceBounds,
  Transaction,
  V3Fields,
} from "../transaction.ts";

/** One byte per type and version; the order is part of the format. */
export const TAGS = [
  "INVOKE 0",
  "INVOKE 1",
  "INVOKE 3",
  "DECLARE 0",
  "DECLARE 1",
  "DECLARE 2",
  "DECLARE 3",
  "DEPLOY_ACCOUNT 1",
  "DEPLOY_ACCOUNT 3",
  "DEPLOY 0",
  "DEPLOY 1",
  "L1_HANDLER 0",
] as const satisfies readonly `${Transaction["type"]} ${Transaction["version"]}`[];

/** Type and version of a transaction, such as `INVOKE 3`. */
export type Tag = (typeof TAGS)[number];

const TAG_BYTES: ReadonlyMap<string, number> = new Map(TAGS.map((tag, index) => [tag, index]));

/** First byte of an encoded transaction. */
export function tagByteOf({ type, version }: Transaction): number {
  const byte = TAG_BYTES.get(`${type} ${version}`);
  invariant(byte !== undefined, `${type} ${version} has no tag`);
  return byte;
}

/** Writes the fields that follow tag and hash. */
export function writeFields(writer: ByteWriter, transaction: Transaction): void {
  switch (transaction.type) {
    case "INVOKE":
      return writeInvoke(writer, transaction);
    case "DECLARE":
      return writeDeclare(writer, transaction);
    case "DEPLOY_ACCOUNT":
      writeFee(writer, transaction);
      writer.felts(transaction.signature);
      writer.felt(transaction.nonce);
      writer.felt(transaction.contractAddress);
      writer.felt(transaction.classHash);
      writer.felt(transaction.contractAddressSalt);
      return writer.felts(transaction.constructorCalldata);
    case "DEPLOY":
      writer.felt(transaction.contractAddress);
      writer.felt(transaction.classHash);
      writer.felt(transaction.contractAddressSalt);
      return writer.felts(transaction.constructorCalldata);
    case "L1_HANDLER":
      writer.felt(transaction.nonce);
      writer.felt(transaction.contractAddress);
      writer.felt(transaction.entryPointSelector);
      writer.felts(transaction.calldata);
      return writer.nullable(transaction.paidFeeOnL1, (w, fee) => w.uint(fee));
  }
}

function writeInvoke(writer: ByteWriter, invoke: Transaction & { type: "INVOKE" }): void {
  writeFee(writer, invoke);
  writer.felts(invoke.signature);
  if (invoke.version === 0) {
    writer.felt(invoke.contractAddress);
    writer.felt(invoke.entryPointSelector);
  } else {
    writer.felt(invoke.nonce);
    writer.felt(invoke.senderAddress);
  }
  writer.felts(invoke.calldata);
  if (invoke.version === 3) {
    writer.felts(invoke.accountDeploymentData);
    writer.felts(invoke.proofFacts);
  }
}

function writeDeclare(writer: ByteWriter, declare: Transaction & { type: "DECLARE" }): void {
  writeFee(writer, declare);
  writer.felts(declare.signature);
  if (declare.version !== 0) writer.felt(declare.nonce);
  writer.felt(declare.senderAddress);
  writer.felt(declare.classHash);
  if (declare.version >= 2 && "compiledClassHash" in declare) {
    writer.felt(declare.compiledClassHash);
  }
  if (declare.version === 3) writer.felts(declare.accountDeploymentData);
}

function writeFee(writer: ByteWriter, fee: { readonly maxFee: bigint } | V3Fields): void {
  if ("maxFee" in fee) return writer.uint(fee.maxFee);
  const { l1Gas, l2Gas, l1DataGas } = fee.resourceBounds;
  writeBound(writer, l1Gas);
  writeBound(writer, l2Gas);
  writer.nullable(l1DataGas, writeBound);
  writer.uint(fee.tip);
  writer.felts(fee.paymasterData);
  writer.u8(fee.nonceDataAvailabilityMode + 2 * fee.feeDataAvailabilityMode);
}

function writeBound(writer: ByteWriter, bound: ResourceBound): void {
  writer.uint(bound.maxAmount);
  writer.uint(bound.maxPricePerUnit);
}

/** Reads what {@link writeFields} wrote. */
export function readFields(reader: ByteReader, tag: Tag): Transaction {
  switch (tag) {
    case "INVOKE 0":
      return {
        type: "INVOKE",
        version: 0,
        ...readMaxFee(reader),
        contractAddress: reader.felt(),
        entryPointSelector: reader.felt(),
        calldata: reader.felts(),
      };
    case "INVOKE 1":
      return {
        type: "INVOKE",
        version: 1,
        ...readMaxFee(reader),
        nonce: reader.felt(),
        senderAddress: reader.felt(),
        calldata: reader.felts(),
      };
    case "INVOKE 3":
      return {
        type: "INVOKE",
        version: 3,
        ...readV3(reader),
        nonce: reader.felt(),
        senderAddress: reader.felt(),
        calldata: reader.felts(),
        accountDeploymentData: reader.felts(),
        proofFacts: reader.felts(),
      };
    case "DECLARE 0":
      return {
        type: "DECLARE",
        version: 0,
        ...readMaxFee(reader),
        senderAddress: reader.felt(),
        classHash: reader.felt(),
      };
    case "DECLARE 1":
      return { type: "DECLARE", version: 1, ...readMaxFee(reader), ...readDeclare(reader) };
    case "DECLARE 2":
      return {
        type: "DECLARE",
        version: 2,
        ...readMaxFee(reader),
        ...readDeclare(reader),
        compiledClassHash: reader.felt(),
      };
    case "DECLARE 3":
      return {
        type: "DECLARE",
        version: 3,
        ...readV3(reader),
        ...readDeclare(reader),
        compiledClassHash: reader.felt(),
        accountDeploymentData: reader.felts(),
      };
    case "DEPLOY_ACCOUNT 1":
      return {
        type: "DEPLOY_ACCOUNT",
        version: 1,
        ...readMaxFee(reader),
        nonce: reader.felt(),
        ...readDeployment(reader),
      };
    case "DEPLOY_ACCOUNT 3":
      return {
        type: "DEPLOY_ACCOUNT",
        version: 3,
        ...readV3(reader),
        nonce: reader.felt(),
        ...readDeployment(reader),
      };
    case "DEPLOY 0":
      return { type: "DEPLOY", version: 0, ...readDeployment(reader) };
    case "DEPLOY 1":
      return { type: "DEPLOY", version: 1, ...readDeployment(reader) };
    case "L1_HANDLER 0":
      return {
        type: "L1_HANDLER",
        version: 0,
        nonce: reader.felt(),
        contractAddress: reader.felt(),
        entryPointSelector: reader.felt(),
        calldata: reader.felts(),
        paidFeeOnL1: reader.nullable((r) => r.uint(128)),
      };
  }
}

function readMaxFee(reader: ByteReader) {
  return { maxFee: reader.uint(128), signature: reader.felts() };
}

function readV3(reader: ByteReader): V3Fields & { signature: bigint[] } {
  const resourceBounds: ResourceBounds = {
    l1Gas: readBound(reader),
    l2Gas: readBound(reader),
    l1DataGas: reader.nullable(readBound),
  };
  const tip = reader.uint(64);
  const paymasterData = reader.felts();
  const modes = reader.index(4, "data availability modes");
  return {
    resourceBounds,
    tip,
    paymasterData,
    nonceDataAvailabilityMode: (modes & 1) as DataAvailabilityMode,
    feeDataAvailabilityMode: (modes >> 1) as DataAvailabilityMode,
    signature: reader.felts(),
  };
}

function readBound(reader: ByteReader): ResourceBound {
  return { maxAmount: reader.uint(64), maxPricePerUnit: reader.uint(128) };
}

function readDeclare(reader: ByteReader) {
  return { nonce: reader.felt(), senderAddress: reader.felt(), classHash: reader.felt() };
}

function readDeployment(reader: ByteReader) {
  return {
    contractAddress: reader.felt(),
    classHash: reader.felt(),
    contractAddressSalt: reader.felt(),
    constructorCalldata: reader.felts(),
  };
}

import type { ByteReader, ByteWriter } from "#base/codec/index.ts";
import {
  type BlockHeader,
  decodeHeader,
  encodeHeader,
  readEncodedClass,
  writeEncodedClass,
} from "#protocol/chain/index.ts";
import type {
  SnapshotClass,
  SnapshotContract,
  SnapshotMessage,
  SnapshotStorage,
} from "#io/storage/index.ts";
import type { SnapshotKind } from "./kinds.ts";

/** Row type of each kind of file. */
export interface RowOf extends Record<SnapshotKind, unknown> {
  /** Encoded bundle. */
  readonly block: Uint8Array;
  readonly headers: BlockHeader;
  readonly messages: SnapshotMessage;
  readonly classes: SnapshotClass;
  readonly contracts: SnapshotContract;
  readonly storage: SnapshotStorage;
  /** Encoded bundle. */
  readonly bundles: Uint8Array;
}

/** Encoding of a kind's rows. `before` is the previous row in the same file. */
export interface RowForm<Row> {
  write(writer: ByteWriter, row: Row, before: Row | undefined): void;
  /** @throws {DecodeError} when the bytes are not such a row */
  read(reader: ByteReader, before: Row | undefined): Row;
}

const bytesForm: RowForm<Uint8Array> = {
  write: (writer, bytes) => writer.bytes(bytes),
  read: (reader) => reader.bytes(),
};

const headersForm: RowForm<BlockHeader> = {
  write: (writer, header) => writer.bytes(encodeHeader(header)),
  read: (reader) => decodeHeader(reader.bytes()),
};

const messagesForm: RowForm<SnapshotMessage> = {
  write(writer, message) {
    writer.uint(message.nonce);
    writer.varint(message.blockNumber);
    writer.varint(message.position);
    writer.felt(message.transactionHash);
    writer.nullable(message.l1TransactionHash, (w, hash) => w.uint(hash));
  },
  read: (reader) => ({
    nonce: reader.uint(256),
    blockNumber: reader.varint(),
    position: reader.varint(),
    transactionHash: reader.felt(),
    l1TransactionHash: reader.nullable((r) => r.uint(256)),
  }),
};

const classesForm: RowForm<SnapshotClass> = {
  write(writer, declared) {
    writeEncodedClass(writer, declared);
    writer.nullable(declared.compiledClassHash, (w, hash) => w.felt(hash));
    writer.varint(declared.declaredAtBlock);
  },
  read: (reader) => ({
    ...readEncodedClass(reader),
    compiledClassHash: reader.nullable((r) => r.felt()),
    declaredAtBlock: reader.varint(),
  }),
};

const contractsForm: RowForm<SnapshotContract> = {
  write(writer, contract) {
    writer.felt(contract.address);
    writer.felt(contract.classHash);
    writer.felt(contract.nonce);
  },
  read: (reader) => ({
    address: reader.felt(),
    classHash: reader.felt(),
    nonce: reader.felt(),
  }),
};

/** A contract has many variables, so its address is written only once, before the first of them. */
const storageForm: RowForm<SnapshotStorage> = {
  write(writer, row, before) {
    const isNew = row.contractAddress !== before?.contractAddress;
    writer.bool(isNew);
    if (isNew) writer.felt(row.contractAddress);
    writer.felt(row.key);
    writer.felt(row.value);
    writer.varint(row.updatedAtBlock);
  },
  read(reader, before) {
    const at = reader.offset;
    const isNew = reader.bool();
    const contractAddress = isNew ? reader.felt() : before?.contractAddress;
    if (contractAddress === undefined || (isNew && contractAddress === before?.contractAddress)) {
      return reader.fail("a contract's address where another contract begins", at);
    }
    return {
      contractAddress,
      key: reader.felt(),
      value: reader.felt(),
      updatedAtBlock: reader.varint(),
    };
  },
};

/** Row encoding of each kind. */
export const ROW_FORMS: { readonly [K in SnapshotKind]: RowForm<RowOf[K]> } = {
  block: bytesForm,
  headers: headersForm,
  messages: messagesForm,
  classes: classesForm,
  contracts: contractsForm,
  storage: storageForm,
  bundles: bytesForm,
};

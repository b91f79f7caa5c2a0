import type { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { BlockInfo, GasPrices, L1DaMode, ResourcePrice } from "../block.ts";

const DA_MODES = ["BLOB", "CALLDATA"] as const satisfies readonly L1DaMode[];

/** Block info without the number; headers encode it in the same bytes. */
export type BlockConditions = Omit<BlockInfo, "number">;

/** Writes the block info. */
export function writeBlockInfo(writer: ByteWriter, info: BlockInfo): void {
  writer.varint(info.number);
  writeBlockConditions(writer, info);
}

/** Reads what {@link writeBlockInfo} wrote. */
export function readBlockInfo(reader: ByteReader): BlockInfo {
  return { number: reader.varint(), ...readBlockConditions(reader) };
}

/** Writes the block info without the number. */
export function writeBlockConditions(writer: ByteWriter, conditions: BlockConditions): void {
  writer.varint(conditions.timestamp);
  writer.felt(conditions.sequencerAddress);
  writePrice(writer, conditions.gasPrices.l1Gas);
  writePrice(writer, conditions.gasPrices.l1DataGas);
  writePrice(writer, conditions.gasPrices.l2Gas);
  writer.u8(DA_MODES.indexOf(conditions.l1DaMode));
  writer.text(conditions.protocolVersion);
}

/** Reads what {@link writeBlockConditions} wrote. */
export function readBlockConditions(reader: ByteReader): BlockConditions {
  const timestamp = reader.varint();
  const sequencerAddress = reader.felt();
  const gasPrices: GasPrices = {
    l1Gas: readPrice(reader),
    l1DataGas: readPrice(reader),
    l2Gas: readPrice(reader),
  };
  return {
    timestamp,
    sequencerAddress,
    gasPrices,
    l1DaMode: DA_MODES[reader.index(DA_MODES.length, "data availability mode")] as L1DaMode,
    protocolVersion: reader.text(),
  };
}

function writePrice(writer: ByteWriter, price: ResourcePrice): void {
  writer.uint(price.wei);
  writer.uint(price.fri);
}

function readPrice(reader: ByteReader): ResourcePrice {
  return { wei: reader.uint(128), fri: reader.uint(128) };
}

export { ByteReader, uintFromBytes } from "./reader.ts";
export { ByteWriter } from "./writer.ts";

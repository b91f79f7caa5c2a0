import {
  type Decoder,
  felt,
  isJsonObject,
  lookupNumber,
  memberPath,
  mismatch,
  named,
  objectSchema,
} from "#base/codec/index.ts";
import type { BlockId } from "../block-id.ts";

/** Block ids that are a tag. */
type TagKind = Exclude<BlockId["kind"], "hash" | "number">;

/**
 * Tags that BLOCK_ID may be in a version of the specification, and the block that each one means.
 */
export type BlockTags = Readonly<Record<string, TagKind>>;

/**
 * Creates a decoder of BLOCK_ID with these tags.
 *
 * @param name - name of the schema in documents
 */
export function blockIdDecoder(tags: BlockTags, name = "BLOCK_ID"): Decoder<BlockId> {
  const names = Object.keys(tags);
  const describe = `block id: {"block_hash": felt}, {"block_number": integer >= 0} or one of ${names.map((tag) => `"${tag}"`).join(", ")}`;
  return {
    describe,
    schema: named(name, {
      description: describe,
      oneOf: [
        objectSchema({ block_hash: felt.schema ?? {} }, {}, false),
        objectSchema({ block_number: lookupNumber.schema ?? {} }, {}, false),
        { enum: names },
      ],
    }),
    decode(value, path) {
      if (typeof value === "string") {
        const kind = Object.hasOwn(tags, value) ? tags[value] : undefined;
        return kind === undefined ? mismatch(path, describe, value) : { kind };
      }
      if (!isJsonObject(value)) return mismatch(path, describe, value);
      const { block_hash: hash, block_number: number } = value;
      if ((hash === undefined) === (number === undefined)) return mismatch(path, describe, value);
      return hash === undefined
        ? { kind: "number", number: lookupNumber.decode(number, memberPath(path, "block_number")) }
        : { kind: "hash", hash: felt.decode(hash, memberPath(path, "block_hash")) };
    },
  };
}

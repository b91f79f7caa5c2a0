import fc from "fast-check";
import { describe, expect, test } from "bun:test";
import {
  readBlockReference,
  readGatewaySignature,
  readGatewayWholeBlock,
  writeBlockReference,
  writeGatewaySignature,
  writeGatewayWholeBlock,
} from "#io/feeder/index.ts";
import { felts, sealedBlocks } from "#test/helpers/arbitraries.ts";
import { blockOf, sent, VERSIONS, withinTries } from "#test/helpers/gateway-forms.ts";
import { assertProperty } from "#test/helpers/property.ts";

const sealedWithVersion = fc.tuple(sealedBlocks, fc.constantFrom(...VERSIONS), fc.boolean());

describe("what is written is read back unchanged:", () => {
  test("blocks of every version, with state update and signature", () => {
    assertProperty(
      fc.property(sealedWithVersion, ([sealed, version, isSigned]) => {
        const block = blockOf(sealed, version);
        const whole = {
          block,
          update: {
            blockHash: sealed.header.hash,
            newRoot: sealed.header.newRoot,
            oldRoot: sealed.header.parentHash,
            stateDiff: withinTries(sealed.stateDiff),
          },
          signature: isSigned ? sealed.signature : undefined,
        };
        expect(readGatewayWholeBlock(sent(writeGatewayWholeBlock(whole)))).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  test("block references and signatures", () => {
    assertProperty(
      fc.property(fc.nat(), felts, felts, felts, (number, hash, r, s) => {
        const reference = writeBlockReference({ number, hash });
        expect(Object.keys(reference).sort()).toEqual(["block_hash", "block_number"]);
        expect(readBlockReference(sent(reference))).toEqual({ number, hash });
        const signature = sent(writeGatewaySignature(hash, { r, s }));
        expect(readGatewaySignature(signature)).toEqual({ blockHash: hash, r, s });
      }),
    );
  });
});

import { expect, test } from "bun:test";
import { feederOf } from "#test/helpers/feeder.ts";
import { laterChain } from "#test/helpers/later-chain.ts";
import { SAMPLE_CHAIN, sampleContext } from "#test/helpers/sample-chain.ts";

const whole = feederOf();
const later = feederOf({ context: sampleContext({ chain: laterChain(SAMPLE_CHAIN, 1) }) });

const NOT_FOUND = {
  code: "StarknetErrorCode.BLOCK_NOT_FOUND",
  message: "Block not found: the oldest block here is 1",
};

test.each([
  "get_block?blockNumber=0",
  "get_block?blockHash=0xb10c0",
  "get_state_update?blockNumber=0",
  "get_signature?blockNumber=0",
  "get_block_traces?blockNumber=0",
  "get_block_bouncer_weights?blockNumber=0",
  "get_storage_at?contractAddress=0xc0&key=16&blockNumber=0",
  "get_nonce?contractAddress=0xc0&blockNumber=0",
  "get_class_hash_at?contractAddress=0xc0&blockHash=0xb10c0",
])(
  "block before the snapshot is not found, and the error names the oldest block: %s",
  async (query) => {
    const { status, json } = await later.ask(query);
    expect([status, json]).toEqual([400, NOT_FOUND]);
  },
);

test("block before the snapshot has no number or hash", async () => {
  expect((await later.ask("get_block_hash_by_id?blockId=0")).json).toMatchObject({
    message: "Block ID should be in the range [1, 2); got: 0.",
  });
  expect((await later.ask("get_block_id_by_hash?blockHash=0xb10c0")).json).toMatchObject({
    code: NOT_FOUND.code,
  });
});

test.each(["get_block?blockNumber=1", "get_state_update?blockNumber=1"])(
  "first block of a chain from a snapshot equals that of the whole chain: %s",
  async (query) => {
    const { status, text } = await later.ask(query);
    expect(status).toBe(200);
    expect(text).toBe((await whole.ask(query)).text);
  },
);

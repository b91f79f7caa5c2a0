import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { DECOMPRESSORS, type Decompressor, Unpacker } from "#api/rpc/http/unpacker.ts";

const MAX_BYTES = 4_000_000;
const BOMB = gzipSync(Buffer.alloc(3_000_000, 32));

/** Compresses about as well as JSON does. */
const USUAL = gzipSync(
  Buffer.from(Array.from({ length: 20_000 }, (_, i) => `"0x${i * 7}",`).join("")),
);

/** Unpacker that records its maximum concurrency. */
function world() {
  const unpacker = new Unpacker();
  let [running, maxRunning] = [0, 0];
  const gunzip = DECOMPRESSORS.get("gzip");
  const decompress: Decompressor = (input, options, done) => {
    running++;
    maxRunning = Math.max(maxRunning, running);
    gunzip?.(input, options, (error, output) => {
      running--;
      done(error, output);
    });
  };
  return {
    unpack: (bytes: Uint8Array) => unpacker.unpack(decompress, bytes, MAX_BYTES),
    maxRunning: () => maxRunning,
  };
}

describe("Unpacker", () => {
  test("unpacks few bodies at a time and continues as they are read", async () => {
    const { unpack, maxRunning } = world();
    const open: (() => void)[] = [];
    const bodies = Array.from({ length: 20 }, async () => {
      const body = await unpack(USUAL);
      if (body.kind === "unpacked") open.push(body.done);
      return body.kind;
    });
    for (let read = 0; read < 20; read++) {
      while (open.length === 0) await Bun.sleep(1);
      // Unread bodies keep others waiting.
      await Bun.sleep(5);
      expect(open.length).toBeLessThanOrEqual(4);
      const done = open.shift();
      // A second call has no effect.
      done?.();
      done?.();
    }
    expect(await Promise.all(bodies)).toEqual(Array<"unpacked">(20).fill("unpacked"));
    expect(maxRunning()).toBeLessThanOrEqual(4);
  });

  test("does not let bodies with an extreme compression ratio block others", async () => {
    const { unpack } = world();
    let bombs = 0;
    for (let i = 0; i < 50; i++) {
      // None of them is ever read.
      void unpack(BOMB).then(() => bombs++);
    }
    const body = await unpack(USUAL);
    expect(body.kind).toBe("unpacked");
    while (bombs === 0) await Bun.sleep(1);
    await Bun.sleep(50);
    expect(bombs).toBe(1);
  });

  test("frees the place of bodies that are too long or broken", async () => {
    const { unpack } = world();
    for (let i = 0; i < 10; i++) {
      expect((await unpack(gzipSync(Buffer.alloc(MAX_BYTES + 1)))).kind).toBe("too long");
      expect((await unpack(USUAL.subarray(0, 100))).kind).toBe("broken");
    }
    const body = await unpack(BOMB);
    expect(body).toMatchObject({ kind: "unpacked", bytes: { byteLength: 3_000_000 } });
  });
});

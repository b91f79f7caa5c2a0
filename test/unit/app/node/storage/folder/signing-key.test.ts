import { expect, test } from "bun:test";
import {
  chmodSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { publicKey } from "#protocol/crypto/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import {
  checkSigningKey,
  loadSigningKey,
  makeSigningKey,
  requireSigningKey,
} from "#app/node/storage/folder/signing-key.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Source: Starknet docs, "STARK curve". */
const CURVE_ORDER = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2fn;

function inFolder(run: (path: string) => void): void {
  using folder = temporaryFolder();
  run(folder.file("block-signing.key"));
}

test("creates a key once, readable only by its owner", () => {
  inFolder((path) => {
    const made = loadSigningKey({ path, mayCreate: true });
    expect(made.publicKey).toBe(publicKey(made.privateKey));
    expect(loadSigningKey({ path, mayCreate: true })).toEqual(made);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

test.each([
  ["00", 1n],
  ["ff", ((2n ** 320n - 1n) % (CURVE_ORDER - 1n)) + 1n],
])("derives a key between 1 and the order from 320 random bits (%p)", (byte, key) => {
  inFolder((path) => {
    const random = (count: number) => Buffer.from(byte.repeat(count), "hex");
    expect(loadSigningKey({ path, mayCreate: true }, { random, chmod: chmodSync }).privateKey).toBe(
      key,
    );
  });
});

test.each([
  ["0400", "0400"],
  ["0600", "0600"],
  ["0644", "0600"],
])("changes mode %s of a key to %s", (before, after) => {
  inFolder((path) => {
    writeFileSync(path, "0x1234");
    chmodSync(path, Number.parseInt(before, 8));
    expect(loadSigningKey({ path, mayCreate: true }).privateKey).toBe(0x1234n);
    expect(statSync(path).mode & 0o777).toBe(Number.parseInt(after, 8));
  });
});

test("reads a key whose mode cannot be changed if it is another user's or on a read-only mount", () => {
  inFolder((path) => {
    writeFileSync(path, "0x1234");
    chmodSync(path, 0o640);
    const read = (code: string): unknown => {
      const chmod = (): void => {
        throw Object.assign(new RangeError("chmod"), { code });
      };
      return loadSigningKey({ path, mayCreate: true }, { random: Buffer.alloc, chmod }).privateKey;
    };
    expect([read("EROFS"), read("EPERM")]).toEqual([0x1234n, 0x1234n]);
    expect(() => read("EIO")).toThrow(`the mode of ${path} cannot be changed`);
  });
});

test("reads the operator's own file and never creates it", () => {
  inFolder((path) => {
    expect(() => loadSigningKey({ path, mayCreate: false })).toThrow(ConfigError);
    writeFileSync(path, "0x1234\n");
    expect(loadSigningKey({ path, mayCreate: false }).privateKey).toBe(0x1234n);
    expect(readFileSync(path, "utf8")).toBe("0x1234\n");
  });
});

test("checking a key creates and changes nothing", () => {
  inFolder((path) => {
    checkSigningKey({ path, mayCreate: true });
    expect(() => statSync(path)).toThrow();
    expect(() => checkSigningKey({ path, mayCreate: false })).toThrow("cannot be read");
    writeFileSync(path, "nonsense", { mode: 0o644 });
    for (const mayCreate of [true, false]) {
      expect(() => checkSigningKey({ path, mayCreate })).toThrow("block-signing key");
    }
    writeFileSync(path, "0x1234");
    checkSigningKey({ path, mayCreate: true });
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });
});

test("an empty file counts as a missing key for a new chain, and as damage for an existing one", () => {
  inFolder((path) => {
    writeFileSync(path, "");
    checkSigningKey({ path, mayCreate: true });
    expect(() => loadSigningKey({ path, mayCreate: true })).toThrow("put back a copy");
    for (const read of [checkSigningKey, makeSigningKey]) {
      expect(() => read({ path, mayCreate: false })).toThrow("put back a copy");
    }
    expect(readFileSync(path, "utf8")).toBe("");
    const made = makeSigningKey({ path, mayCreate: true });
    expect(makeSigningKey({ path, mayCreate: true })).toEqual(made);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

test("does not replace a dangling link by a key", () => {
  inFolder((path) => {
    symlinkSync("nowhere/block-signing.key", path);
    expect(() => makeSigningKey({ path, mayCreate: true })).toThrow("cannot be written");
    expect(readlinkSync(path)).toBe("nowhere/block-signing.key");
  });
});

test.each(["", "1234", "0x0", `0x${"f".repeat(64)}`])("rejects %p as a key", (text) => {
  inFolder((path) => {
    writeFileSync(path, text);
    expect(() => loadSigningKey({ path, mayCreate: false })).toThrow(/block-signing key/);
  });
});

test("refuses to replace the missing key of an existing chain", () => {
  inFolder((path) => {
    expect(() => requireSigningKey({ path, mayCreate: true })).toThrow(
      "is missing; put it back, or give that key with --private-key-file: any other key is refused",
    );
    expect(() => statSync(path)).toThrow();
    writeFileSync(path, "0x1234");
    requireSigningKey({ path, mayCreate: true });
  });
});

import { describe, expect, test } from "bun:test";
import { acceptedEncoding } from "#api/rpc/http/encodings.ts";
import { busyMilliseconds } from "#test/helpers/stop-flag.ts";

describe("acceptedEncoding", () => {
  test.each([
    ["gzip", "gzip"],
    ["GZip", "gzip"],
    ["x-gzip", "gzip"],
    ["deflate", "deflate"],
    ["br", "br"],
    ["zstd", "zstd"],
    ["gzip, deflate", "gzip"],
    ["deflate, gzip", "gzip"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip;q=1.0, zstd;q=0.5", "gzip"],
    ["gzip;q=0.2, deflate;q=0.3", "deflate"],
    ["compress, gzip", "gzip"],
    ["*", "gzip"],
    ["*;q=0.1", "gzip"],
    ["zstd;q=0, *", "gzip"],
    ["identity;q=0.5, gzip", "gzip"],
    ["identity, gzip", "gzip"],
    ["identity;q=0, gzip;q=0.1", "gzip"],
  ] as const)("of %s is %s", (header, encoding) => {
    expect(acceptedEncoding(header)).toBe(encoding);
  });

  test.each([
    "",
    "identity",
    "gzip;q=0",
    "gzip; q=0.000",
    "*;q=0",
    "gzip;q=0, *",
    "identity, gzip;q=0.5",
    "compress",
    "gzipped",
    "__proto__, constructor, toString",
    ",;=,;",
  ])("of %p is `undefined`", (header) => {
    expect(acceptedEncoding(header)).toBeUndefined();
  });

  test("parses a hostile header of 16 kB quickly", () => {
    const startBusyMs = busyMilliseconds();
    for (const part of ['a;b="', "gzip;q=0.5,", ";;;;", "\t,\t", 'a;"\\"'] as const) {
      acceptedEncoding(part.repeat(16_384 / part.length));
    }
    expect(busyMilliseconds() - startBusyMs).toBeLessThan(2_000);
  });
});

import { describe, expect, test } from "bun:test";
import { client } from "#test/helpers/admission-client.ts";

describe("received transactions in the admission client", () => {
  test("have a reported status", async () => {
    const { admission, reply } = client();
    const asked = [1n, 2n, 3n, 4n].map((hash) => admission.statusOf(hash));
    const bytes = new Uint8Array([1]);
    const found = [
      { bytes: null, isInFlight: false, isAhead: false },
      { bytes, isInFlight: false, isAhead: true },
      { bytes, isInFlight: false, isAhead: false },
      { bytes, isInFlight: true, isAhead: false },
    ];
    for (const [id, rest] of found.entries()) reply(5, { kind: "found", id, ...rest });
    expect(await Promise.all(asked)).toEqual(["gone", "ahead", "executable", "executable"]);
  });

  test("report rejections to every listener", () => {
    const { admission, rejected, reply } = client();
    const heard: unknown[] = [];
    admission.onRejected((rejections) => heard.push(rejections, rejected.length));
    const rejections = [{ hash: 1n, sender: 2n, code: "EXPIRED", reason: "old" }];
    reply(5, { kind: "rejected", rejections });
    expect(heard).toEqual([rejections, 1]);
  });
});

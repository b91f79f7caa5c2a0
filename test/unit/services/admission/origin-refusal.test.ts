import { expect, test } from "bun:test";
import { InvariantError, OriginError } from "#base/errors/index.ts";
import { lostOriginRefusal, refusingLostOrigin } from "#services/admission/origin-refusal.ts";

function failing(error: Error): () => string {
  return () => {
    throw error;
  };
}

const DOWN = new OriginError("ORIGIN_UNAVAILABLE", "http://origin:1 is down", true);
const PRUNED = new OriginError("ORIGIN_REFUSED", "http://origin:1 has pruned block 3", false);

test("a lost origin is an error that asks to send again, not a verdict", () => {
  expect(lostOriginRefusal(DOWN)).toEqual({
    kind: "rejected",
    code: "UNEXPECTED_ERROR",
    reason: "the transaction cannot be checked now: http://origin:1 is down",
    retryAfterSeconds: 1,
  });
});

test("an origin that refuses does not ask to send again", () => {
  expect(lostOriginRefusal(PRUNED)).not.toHaveProperty("retryAfterSeconds");
});

test("a check that loses the origin is refused with its error", () => {
  expect(refusingLostOrigin(failing(PRUNED), ({ reason }) => reason)).toBe(
    "the transaction cannot be checked now: http://origin:1 has pruned block 3",
  );
});

test.each([
  ["values that are not fetched yet", new OriginError("ORIGIN_NOT_HERE", "not fetched", true)],
  ["another failure", new InvariantError("broken")],
])("a check fails with the error of %s", (_, error) => {
  expect(() => refusingLostOrigin(failing(error), () => "refused")).toThrow(error);
});

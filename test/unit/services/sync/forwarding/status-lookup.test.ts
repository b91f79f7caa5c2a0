import { describe, expect, test } from "bun:test";
import {
  forwardingWorld,
  NOT_RECEIVED,
  RECEIVED,
  strangeHash,
} from "#test/helpers/forwarding-world.ts";

const never = () => new Promise<never>(() => undefined);
const settled = () => Bun.sleep(1);

describe("a transaction known to a gateway that was not forwarded from here", () => {
  test("stays known for a minute while no gateway responds", async () => {
    const { forwarding, gateway, timer } = forwardingWorld();
    const hash = strangeHash(1);
    gateway.statuses.set(hash, RECEIVED);
    const known = { hash, transaction: undefined, isCandidate: false };
    expect(await forwarding.find(hash)).toEqual(known);
    gateway.status = () => ({ kind: "unreachable", message: "nobody" });
    for (let passed = 0; passed < 58_000; passed += 2_000) {
      timer.advance(2_000);
      expect(await forwarding.find(hash)).toEqual(known);
    }
    timer.advance(2_000);
    expect(await forwarding.find(hash)).toBeUndefined();
    expect(await forwarding.find(strangeHash(2))).toBeUndefined();
  });

  test("stays known while the gateway times out, and is unknown once it reports so", async () => {
    const { forwarding, gateway, timer } = forwardingWorld();
    const hash = strangeHash(1);
    gateway.statuses.set(hash, RECEIVED);
    expect(await forwarding.find(hash)).toBeDefined();
    gateway.status = never;
    timer.advance(1_000);
    const found = forwarding.find(hash);
    await settled();
    timer.advance(2_000);
    expect(await found).toBeDefined();
    gateway.status = () => ({ kind: "status", status: NOT_RECEIVED });
    expect(await forwarding.find(hash)).toBeUndefined();
    gateway.status = () => ({ kind: "unreachable", message: "nobody" });
    timer.advance(1_000);
    expect(await forwarding.find(hash)).toBeUndefined();
  });

  test("is not reported as rejected without a fresh response", async () => {
    const { forwarding, gateway, timer } = forwardingWorld();
    const hash = strangeHash(1);
    gateway.statuses.set(hash, { ...NOT_RECEIVED, status: "REJECTED", failureReason: "nonce" });
    expect(await forwarding.rejectionOf(hash)).toBe("nonce");
    gateway.status = () => ({ kind: "unreachable", message: "nobody" });
    timer.advance(1_000);
    expect(await forwarding.rejectionOf(hash)).toBeUndefined();
  });
});

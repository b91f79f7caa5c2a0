import { describe, expect, test } from "bun:test";
import { addressKey, Caller } from "#api/rpc/limits/caller.ts";

describe("Caller", () => {
  test("aborts its signal once when its connection closes", () => {
    const caller = new Caller("127.0.0.1");
    const { signal } = caller;
    expect([caller.isDisconnected, signal.aborted]).toEqual([false, false]);
    let aborts = 0;
    signal.addEventListener("abort", () => aborts++);
    caller.leave();
    caller.leave();
    expect([caller.isDisconnected, signal.aborted, aborts]).toEqual([true, true, 1]);
  });

  test("that has already left returns an aborted signal", () => {
    const caller = new Caller(undefined);
    caller.leave();
    expect(caller.signal.aborted).toBe(true);
  });
});

describe("addressKey", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff::", "2001:db8:1:2::/64"],
    ["2001:DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8:0:0:1::", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["", ""],
  ])("maps %s to %s", (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  test("differs between IPv6 networks", () => {
    expect(addressKey("2001:db8:1:2::1")).not.toBe(addressKey("2001:db8:1:3::1"));
  });
});

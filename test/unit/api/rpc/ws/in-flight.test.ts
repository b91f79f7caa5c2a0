import { describe, expect, test } from "bun:test";
import { LONG_BODY } from "#api/rpc/dispatch.ts";
import { InFlight } from "#api/rpc/ws/in-flight.ts";

const LONG = LONG_BODY + 1;

const inFlight = (maxInFlight = 16) => new InFlight({ maxInFlight, maxInFlightCharacters: 65_536 });

describe("InFlight", () => {
  test("has room for a number of short requests", () => {
    const requests = inFlight(2);
    const first = requests.begin(10);
    expect([requests.isEmpty, requests.isFull, requests.hasRoom(10)]).toEqual([false, false, true]);
    requests.begin(10);
    expect([requests.isFull, requests.hasRoom(0)]).toEqual([true, false]);
    first();
    expect([requests.isFull, requests.hasRoom(10)]).toEqual([false, true]);
  });

  test("has room for short requests up to a number of characters together", () => {
    const requests = inFlight();
    requests.begin(LONG_BODY);
    requests.begin(20_000);
    const left = 65_536 - LONG_BODY - 20_000;
    expect([requests.hasRoom(left), requests.hasRoom(left + 1)]).toEqual([true, false]);
    const last = requests.begin(left);
    expect(requests.isFull).toBe(true);
    last();
    expect(requests.isFull).toBe(false);
  });

  test("has room for one long request at a time", () => {
    const requests = inFlight();
    const answered = requests.begin(LONG);
    expect(requests.hasRoom(LONG)).toBe(false);
    answered();
    expect([requests.hasRoom(LONG), requests.isEmpty]).toEqual([true, true]);
  });

  test("has room for short requests in addition to a long one", () => {
    const requests = inFlight();
    requests.begin(10 * LONG);
    expect([requests.isFull, requests.hasRoom(LONG_BODY)]).toEqual([false, true]);
    requests.begin(LONG_BODY);
    expect(requests.hasRoom(LONG_BODY)).toBe(true);
  });
});

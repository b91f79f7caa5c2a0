import { describe, expect, test } from "bun:test";
import { createWaitPage, WaitPage } from "#io/origin/waiting/wait-page.ts";

const PIECE = Buffer.from("piece");

function bothEnds(): { readonly waiting: WaitPage; readonly answering: WaitPage } {
  const page = createWaitPage(16);
  return { waiting: new WaitPage(page), answering: new WaitPage(page) };
}

describe("WaitPage", () => {
  test.each(["more", "last", "absent", "failed"] as const)("delivers a piece: %s", (kind) => {
    const { waiting, answering } = bothEnds();
    waiting.expect(1);
    expect(answering.deliver(1, kind, PIECE)).toBeTrue();
    expect(waiting.take(0)).toEqual({ kind, bytes: new Uint8Array(PIECE) });
  });

  test("takes nothing before a piece has arrived", () => {
    const { waiting } = bothEnds();
    waiting.expect(1);
    expect(waiting.take(1)).toBeUndefined();
  });

  test("drops the answer to an earlier request", () => {
    const { waiting, answering } = bothEnds();
    waiting.expect(1);
    waiting.giveUp();
    waiting.expect(2);
    expect(answering.deliver(1, "last", PIECE)).toBeFalse();
    expect(waiting.take(0)).toBeUndefined();
    expect(answering.deliver(2, "last", PIECE)).toBeTrue();
    expect(waiting.take(0)?.kind).toBe("last");
  });

  test("drops an answer that nobody waits for", () => {
    const { waiting, answering } = bothEnds();
    waiting.expect(1);
    waiting.giveUp();
    expect(answering.deliver(1, "last", PIECE)).toBeFalse();
  });

  test("does not deliver a second answer to the same request", () => {
    const { waiting, answering } = bothEnds();
    waiting.expect(1);
    answering.deliver(1, "last", PIECE);
    expect(answering.deliver(1, "last", Buffer.from("other"))).toBeFalse();
    expect(waiting.take(0)?.bytes).toEqual(new Uint8Array(PIECE));
  });

  test("keeps a taken piece when the page is used again", () => {
    const { waiting, answering } = bothEnds();
    waiting.expect(1);
    answering.deliver(1, "last", PIECE);
    const piece = waiting.take(0);
    waiting.expect(2);
    answering.deliver(2, "last", Buffer.from("other"));
    expect(piece?.bytes).toEqual(new Uint8Array(PIECE));
  });
});

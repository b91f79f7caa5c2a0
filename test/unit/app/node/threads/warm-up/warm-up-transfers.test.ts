import { describe, expect, test } from "bun:test";
import { scratchTransfers, warmUpTransfers } from "#app/node/threads/warm-up/warm-up-transfers.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { BUILT_IN_CONSTANTS } from "#protocol/versions/index.ts";
import { transferBlock } from "#test/helpers/transfer-chain.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const vm = createCairoVm();
const block = transferBlock();

describe("transfers over a scratch state", () => {
  test.each(["0.13.2", "0.13.4", "0.14.0", "0.14.4"] as const)(
    "are validated and executed by the rules of %s",
    (protocolVersion) => {
      const transfer = scratchTransfers(vm, {
        ...block,
        info: { ...block.info, protocolVersion },
        constants: BUILT_IN_CONSTANTS.at(protocolVersion),
      });
      for (let i = 0; i < 3; i++) expect(transfer()).toBe(true);
    },
  );

  test("are executed at any prices", () => {
    const price = { wei: 10n ** 12n, fri: 10n ** 15n };
    const gasPrices = { l1Gas: price, l1DataGas: price, l2Gas: { wei: 1n, fri: 10n ** 11n } };
    expect(scratchTransfers(vm, { ...block, info: { ...block.info, gasPrices } })()).toBe(true);
  });
});

test("load nothing for a count of zero", () => {
  const timer = new FakeTimer();
  warmUpTransfers(vm, 0, () => expect.unreachable(), timer);
  timer.advance(1000);
});

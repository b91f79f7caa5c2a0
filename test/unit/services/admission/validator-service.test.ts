import { expect, test } from "bun:test";
import { type AccountTransaction, encodeUnhashed } from "#protocol/chain/index.ts";
import { positionAt } from "#engine/state/index.ts";
import { NOTHING_MISSING } from "#services/admission/origin-retries.ts";
import { PendingFeed } from "#services/admission/pending-feed.ts";
import {
  type AdmissionToValidator,
  type ToValidator,
  ValidatorService,
  type ValidatorToAdmission,
} from "#services/admission/validator-service.ts";
import { CHAIN_ID, LATEST, settle, VALID } from "#test/helpers/admission-world.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { emptyDeclare, emptyInvoke, nonceState } from "#test/helpers/mempool-world.ts";

/** Validator with the test at the other end of both ports. */
function world() {
  const main = fakePort<ToValidator, never>();
  const admission = fakePort<AdmissionToValidator, ValidatorToAdmission>();
  const timer = new FakeTimer();
  const feed = new PendingFeed(
    numberedChain(LATEST, () => nonceState()),
    timer,
  );
  const validated: bigint[] = [];
  const failures: unknown[] = [];
  const service = new ValidatorService({
    missing: NOTHING_MISSING,
    ports: { main, admission },
    feed,
    chainId: CHAIN_ID,
    limits: { maxCalldataLength: 1, chargeFees: true, takesFree: true, maxFeeTransactions: false },
    maxNonceForValidationSkip: 0,
    free: { policy: "never", nativeFeeToken: 5n },
    overlay: () => feed.current(),
    isImpersonatedAccount: () => false,
    validate(hashed) {
      validated.push(hashed.hash);
      timer.advance(3);
      return VALID;
    },
    timer,
    nowMs: () => 77,
    fail: (error) => failures.push(error),
  });
  service.start();
  const submit = (id: number, transaction: AccountTransaction, accepted = LATEST): void => {
    const bytes = encodeUnhashed(transaction);
    main.tell({ kind: "submit", id, bytes, position: positionAt(accepted) });
  };
  return { service, main, admission, feed, validated, failures, submit };
}

test("nothing is validated before the list of fatal transactions arrives", async () => {
  const { admission, validated, submit } = world();
  submit(1, emptyInvoke(1n, 0n));
  await settle();
  expect(validated).toEqual([]);
  admission.tell({ kind: "fatal", hashes: [] });
  await settle();
  expect(validated).toHaveLength(1);
});

test("a checked submission is forwarded with its cost and the validator's position", async () => {
  const { admission, feed, submit } = world();
  admission.tell({ kind: "fatal", hashes: [] });
  submit(1, emptyInvoke(1n, 0n), LATEST + 1);
  submit(2, { ...emptyInvoke(1n, 1n), calldata: [1n, 2n] }, LATEST + 1);
  submit(3, emptyDeclare(1n, 0n), LATEST + 1);
  await settle();
  expect(admission.sent).toEqual([]);
  feed.accepted({ blockNumber: LATEST + 1 });
  await settle();
  expect(feed.position.accepted).toBe(LATEST + 1);
  expect(admission.sent).toMatchObject([
    {
      id: 1,
      waiting: 2,
      costMs: 3,
      position: feed.position,
      checked: {
        kind: "checked",
        entry: { sender: 1n, nonce: 0n, receivedAtMs: 77 },
        isSenderUndeployed: false,
        verdict: { kind: "valid", skipped: false, prevalidated: null },
      },
    },
    { id: 2, waiting: 1, checked: { kind: "refused", refusal: { code: "UNEXPECTED_ERROR" } } },
    { id: 3, waiting: 0, checked: { kind: "refused", refusal: { code: "UNEXPECTED_ERROR" } } },
  ]);
});

test("a free transaction is not validated once transactions are no longer free", async () => {
  const { admission, validated, submit } = world();
  admission.tell({ kind: "fatal", hashes: [] });
  const free = { maxAmount: 1n, maxPricePerUnit: 0n };
  const resourceBounds = { l1Gas: free, l2Gas: free, l1DataGas: free };
  submit(1, { ...emptyInvoke(1n, 0n), resourceBounds });
  await settle();
  expect(admission.sent).toMatchObject([{ checked: { kind: "checked", verdict: null } }]);
  expect(validated).toEqual([]);
});

test("stopping drops queued submissions, and invalid bytes fail the node", async () => {
  const { service, main, admission, validated, failures, submit } = world();
  admission.tell({ kind: "fatal", hashes: [] });
  submit(1, emptyInvoke(1n, 0n));
  service.stop();
  await settle();
  expect([validated, admission.sent]).toEqual([[], []]);
  main.tell({ kind: "submit", id: 2, bytes: new Uint8Array(3), position: positionAt(LATEST) });
  await settle();
  expect(failures).toHaveLength(1);
});

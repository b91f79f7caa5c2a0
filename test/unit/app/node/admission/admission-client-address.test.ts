import { expect, spyOn, test } from "bun:test";
import { SubmissionGate } from "#services/admission/index.ts";
import { client } from "#test/helpers/admission-client.ts";
import { CLIENT } from "#test/helpers/clients.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";

test("queues a submission under its sender and client address", () => {
  const submit = spyOn(SubmissionGate.prototype, "submit");
  try {
    void client().admission.submit(emptyInvoke(7n, 0n), CLIENT);
    expect(submit.mock.calls.map(([submitter]) => submitter)).toEqual([
      { sender: 7n, client: "192.0.2.1" },
    ]);
  } finally {
    submit.mockRestore();
  }
});

import { expect, test } from "bun:test";
import { REFUSED_ON_FULL_NODE } from "#app/node/admin/follower-admin.ts";
import { byCurrentRole, type RoleAdmin } from "#app/node/admin/role-admin.ts";

test("calls go to the current role of the node", async () => {
  const used: unknown[] = [];
  const use =
    (name: string) =>
    (...given: unknown[]) => {
      used.push([name, ...given]);
      return Promise.resolve(undefined);
    };
  const made = {
    admission: { list: use("list"), drop: use("drop"), flush: use("flush") },
    orders: { close: use("close"), addMessage: use("addMessage") },
    revert: { to: use("to") },
  } as unknown as RoleAdmin;
  let now: RoleAdmin = REFUSED_ON_FULL_NODE;
  const { admission, orders, revert } = byCurrentRole(() => now);
  const refusal = await orders.close().then(() => "closed", String);
  expect(refusal).toContain("ask the sequencer for closeBlock");
  now = made;
  await admission.list(1, 2);
  await admission.drop(3n);
  await admission.flush({});
  await orders.close();
  await orders.addMessage({} as Parameters<RoleAdmin["orders"]["addMessage"]>[0]);
  await revert.to({} as Parameters<RoleAdmin["revert"]["to"]>[0]);
  expect(used).toEqual([
    ["list", 1, 2],
    ["drop", 3n],
    ["flush", {}],
    ["close"],
    ["addMessage", {}],
    ["to", {}],
  ]);
});

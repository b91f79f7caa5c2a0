import type { SlowValidation } from "#services/admission/slow-validation.ts";
import type { Candidate } from "#api/rpc/index.ts";
import { AdmissionClient } from "#app/node/admission/admission-client.ts";
import { positionAt } from "#engine/state/index.ts";
import { PositionGate } from "#services/admission/position-gate.ts";
import type { Outlet } from "#base/primitives/index.ts";
import type {
  AdmissionReply,
  ReportedRejection,
  ToAdmission,
  ToValidator,
} from "#services/admission/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { fakeThread } from "#test/helpers/fake-thread.ts";

/**
 * Creates the main thread's client of admission; the test acts as the admission thread.
 *
 * @param validators - ports of validators
 */
export function client(validators: readonly Outlet<ToValidator>[] = []) {
  const thread = fakeThread<ToAdmission>();
  const timer = new FakeTimer();
  const gate = new PositionGate(5, timer);
  const sizes: number[] = [];
  const refused: string[] = [];
  const rejected: ReportedRejection[] = [];
  const candidates: Candidate[] = [];
  const slow: ((validation: SlowValidation | undefined) => void)[] = [];
  const admission = new AdmissionClient({ admission: thread.port, validators }, gate, {
    validateSlowly: () => new Promise((resolve) => void slow.push(resolve)),
    hasAccount: () => true,
    onSize: (size) => void sizes.push(size),
    onPostponed: () => undefined,
    onRefused: (code) => void refused.push(code),
    onRejected: (rejections) => void rejected.push(...rejections),
    onDispatched: (more) => void candidates.push(...more),
  });
  const reply = (accepted: number, message: AdmissionReply) =>
    thread.tell({ ...message, position: positionAt(accepted) });
  return { admission, gate, candidates, refused, rejected, reply, sizes, slow, thread, timer };
}

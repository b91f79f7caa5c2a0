const POLL_MS = 20;

/** Waits until a condition holds, or a deadline has passed: the test then asserts it and fails. */
export async function untilTrue(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await condition()) && performance.now() < deadlineMs) await Bun.sleep(POLL_MS);
}

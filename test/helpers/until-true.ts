/** Pause between two polls of a condition. */
const POLL_MS = 20;

/**
 * Waits until a condition holds or the deadline has passed.
 *
 * @returns whether it holds, for the test to assert
 */
export async function untilTrue(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
  pollMs = POLL_MS,
): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() >= deadlineMs) return false;
    await Bun.sleep(pollMs);
  }
}

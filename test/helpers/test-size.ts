/**
 * Whether tests run at full size: `./scripts/test --full`, and one tenth of them in CI. Other runs
 * are large enough to show a fault that affects more than a few inputs.
 */
export const isFullSize: boolean = process.env["TEST_SIZE"] === "full";

/** Returns the amount of work for this run: the quick one, or the full one. */
export function bySize<T>(amounts: { readonly quick: T; readonly full: T }): T {
  return isFullSize ? amounts.full : amounts.quick;
}

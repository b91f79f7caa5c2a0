/**
 * Whether tests run at full size: `./scripts/test --full`, and in CI for one tenth of them. The other runs are
 * as large as it takes to show a fault that is there for more than a few inputs.
 */
export const isFullSize: boolean = process.env["TEST_SIZE"] === "full";

/** Amount of work for this run. */
export function bySize<T>(amounts: { readonly quick: T; readonly full: T }): T {
  return isFullSize ? amounts.full : amounts.quick;
}

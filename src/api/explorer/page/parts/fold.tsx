import type { Child } from "hono/jsx";
import { useState } from "hono/jsx/dom";

/** Part that opens at a click or key. Its content is made when it is first open: closed ones may have thousands. */
export function Fold({
  summary,
  isOpen = false,
  class: name,
  children,
}: {
  readonly summary: Child;
  /** Whether it is open at first. */
  readonly isOpen?: boolean;
  readonly class?: string | undefined;
  readonly children: () => Child;
}) {
  const [wasOpened, setOpened] = useState(isOpen);
  const toggled = (event: Event): void => {
    if ((event.target as HTMLDetailsElement).open) setOpened(true);
  };
  return (
    <details class={name} open={isOpen} onToggle={toggled}>
      <summary>{summary}</summary>
      {wasOpened ? children() : null}
    </details>
  );
}

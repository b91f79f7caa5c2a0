import { useEffect, useRef } from "hono/jsx/dom";
import { Icon } from "./icon.tsx";
import { hrefOf } from "../state/route.ts";

/** Search field of the header. The key `/` focuses it. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof Element && event.target.matches("input, textarea, select");
      if (event.key !== "/" || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  const search = (event: Event): void => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? "";
    if (text !== "") globalThis.location.hash = hrefOf("search", text);
  };
  return (
    <form role="search" onSubmit={search}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        name="search"
        aria-label="Search the chain"
        placeholder="Search: block, hash, address, class, name  ( / )"
        maxLength={200}
        autocomplete="off"
        spellcheck={false}
      />
    </form>
  );
}

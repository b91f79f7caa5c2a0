import type { Child } from "hono/jsx";
import { visibleText } from "../decode/visible-text.ts";
import { messageOf } from "../rpc/page-error.ts";
import type { Loaded } from "../state/load.ts";

/** Framed section with a heading. */
export function Card({
  title,
  more,
  children,
}: {
  readonly title?: string;
  /** Shown at the end of the heading. */
  readonly more?: Child;
  readonly children?: Child;
}) {
  return (
    <section class="card">
      {title === undefined ? null : (
        <header>
          <h2>{title}</h2>
          {more === undefined ? null : <span class="more">{more}</span>}
        </header>
      )}
      {children}
    </section>
  );
}

/** State of something: a colour and a word. */
export function Badge({
  tone,
  children,
}: {
  readonly tone: "good" | "bad" | "warn" | "neutral";
  readonly children?: Child;
}) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** Text while data is loaded. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what}…
    </p>
  );
}

/** Failure, with its reason. */
export function Failed({ what, error }: { readonly what: string; readonly error: unknown }) {
  return (
    <div class="notice bad" role="alert">
      <strong>{what} could not be loaded.</strong> {visibleText(messageOf(error))}
    </div>
  );
}

/** Text of a list without entries. */
export function Empty({ children }: { readonly children?: Child }) {
  return <div class="empty">{children}</div>;
}

/** Shows loaded data, or why it is not there. */
export function Show<T>({
  loaded,
  what,
  children,
}: {
  readonly loaded: Loaded<T>;
  /** Names the data, such as `block`. */
  readonly what: string;
  readonly children: (value: T) => Child;
}) {
  switch (loaded.state) {
    case "loading":
      return <Loading what={what} />;
    case "failed":
      return <Failed what={`The ${what}`} error={loaded.error} />;
    case "ready":
      return <>{children(loaded.value)}</>;
  }
}

/** List of names and values. */
export function Facts({ children }: { readonly children?: Child }) {
  return <dl class="facts">{children}</dl>;
}

/** One name and value of {@link Facts}. */
export function Fact({ name, children }: { readonly name: string; readonly children?: Child }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Figure with its name and unit. */
export function Stat({
  name,
  note,
  children,
}: {
  readonly name: string;
  readonly note?: Child;
  readonly children?: Child;
}) {
  return (
    <div class="stat">
      <div class="name">{name}</div>
      <div class="value">{children}</div>
      {note === undefined ? null : <div class="note">{note}</div>}
    </div>
  );
}

/** Share of a limit as a bar. */
export function Meter({ share }: { readonly share: number }) {
  const percent = Math.max(0, Math.min(100, share * 100));
  return (
    <div class="meter" aria-hidden="true">
      <i style={{ width: `${percent.toFixed(1)}%` }} />
    </div>
  );
}

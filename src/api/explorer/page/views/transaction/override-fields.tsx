/** Fields of the values that a simulation reads in place of those of the block. */
export function OverrideFields() {
  return (
    <details>
      <summary>Other storage values and classes</summary>
      <label class="field">
        <span>Storage, one per line: contract, key, value</span>
        <textarea name="storage" spellcheck={false} />
      </label>
      <label class="field">
        <span>Classes, one per line: contract, hash of the class that it runs</span>
        <textarea name="classes" spellcheck={false} />
      </label>
    </details>
  );
}

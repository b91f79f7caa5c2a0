/**
 * Headers of the page and its files. The page loads nothing from elsewhere, runs no inline script, and is shown in no
 * other page. Source: W3C Content Security Policy Level 3.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // Browsers ask whether the file changed: another build has another tag.
  "cache-control": "no-cache",
};

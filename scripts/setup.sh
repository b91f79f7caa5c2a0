# Sourced by bin/appchain and scripts/*: finds or installs everything needed to run from source.
# Sets ROOT (the repository) and BUN (the runtime), installs dependencies, builds the kernels
# and compiles the shipped contracts.
# Needs Node and npm only; writes below ROOT only.

BUN_VERSION=1.4.5

fail() {
  echo "appchain: $*" >&2
  exit 1
}

# The pinned runtime: the one on PATH if it has the right version, else a copy below .bun.
find_bun() {
  if command -v bun >/dev/null 2>&1 && [ "$(bun --version 2>/dev/null)" = "$BUN_VERSION" ]; then
    BUN=$(command -v bun)
    return
  fi
  BUN="$ROOT/.bun/node_modules/.bin/bun"
  [ "$("$BUN" --version 2>/dev/null)" = "$BUN_VERSION" ] && return
  command -v npm >/dev/null 2>&1 || fail "Bun $BUN_VERSION is missing, and npm, which installs it, is missing too"
  echo "appchain: installing Bun $BUN_VERSION" >&2
  mkdir -p "$ROOT/.bun"
  npm install --prefix "$ROOT/.bun" --no-save --no-package-lock --no-audit --no-fund --loglevel=error \
    "bun@$BUN_VERSION" >&2 || fail "npm could not install Bun $BUN_VERSION"
  # npm may be configured not to run install scripts; then run Bun's install script here.
  if [ "$("$BUN" --version 2>/dev/null)" != "$BUN_VERSION" ]; then
    (cd "$ROOT/.bun/node_modules/bun" && node install.js >&2) || true
  fi
  [ "$("$BUN" --version 2>/dev/null)" = "$BUN_VERSION" ] || fail "Bun $BUN_VERSION does not start"
}

# Dependencies of bun.lock; a stamp makes later starts fast.
install_dependencies() {
  stamp="$ROOT/node_modules/.appchain-lock"
  if [ -f "$stamp" ] && cmp -s "$ROOT/bun.lock" "$stamp"; then return; fi
  echo "appchain: installing dependencies" >&2
  (cd "$ROOT" && "$BUN" install --frozen-lockfile --silent >&2) || fail "dependencies could not be installed"
  cp "$ROOT/bun.lock" "$stamp"
}

# Kernels and the CASM of the shipped contracts; skips those that are up to date.
generate() {
  (cd "$ROOT" && "$BUN" scripts/generate.ts --quiet >&2) || fail "kernels or contracts could not be built"
}

setup() {
  find_bun
  # Bun of another version on PATH must not be picked by scripts that call `bun`.
  PATH="$(dirname "$BUN"):$PATH"
  export PATH
  install_dependencies
  generate
}

#!/usr/bin/env bash
# Puts the program where run.sh finds it: a released binary whose checksum holds, or one built from the sources that
# this action lies in. Reads INPUT_VERSION and SEAMCHECK_REPOSITORY; writes SEAMCHECK to the job's environment.
set -euo pipefail

version=${INPUT_VERSION:-source}
place=${RUNNER_TEMP:-/tmp}/seamcheck
mkdir -p "$place"

die() {
  printf '::error title=seamcheck::%s\n' "$1"
  exit 1
}

target() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) echo x86_64-unknown-linux-musl ;;
    Linux-aarch64 | Linux-arm64) echo aarch64-unknown-linux-musl ;;
    Darwin-x86_64) echo x86_64-apple-darwin ;;
    Darwin-arm64) echo aarch64-apple-darwin ;;
    MINGW*-x86_64 | MSYS*-x86_64) echo x86_64-pc-windows-msvc ;;
    *) die "no binary is released for $(uname -s) on $(uname -m); use version: source" ;;
  esac
}

verify() {
  if command -v sha256sum >/dev/null; then sha256sum -c "$1"; else shasum -a 256 -c "$1"; fi
}

if [ "$version" = source ]; then
  command -v cargo >/dev/null || die 'cargo is needed to build from source; install Rust first, or name a released version'
  root=$(cd "$(dirname "$0")/../.." && pwd)
  cargo build --release --locked --manifest-path "$root/Cargo.toml" --package seamcheck --target-dir "$place/target"
  program=$place/target/release/seamcheck
else
  name=seamcheck-$(target)
  base=${SEAMCHECK_DOWNLOADS:-https://github.com/${SEAMCHECK_REPOSITORY:?}/releases/download}/v${version#v}
  for file in "$name.tar.gz" "$name.tar.gz.sha256"; do
    curl --fail --silent --show-error --location --retry 3 --output "$place/$file" "$base/$file" ||
      die "cannot download $base/$file; is $version a released version?"
  done
  (cd "$place" && verify "$name.tar.gz.sha256") || die "the checksum of $name.tar.gz does not hold; nothing was run"
  tar -xzf "$place/$name.tar.gz" -C "$place"
  program=$place/$name/seamcheck
fi
if [ -f "$program.exe" ]; then program=$program.exe; fi
"$program" --version
printf 'SEAMCHECK=%s\n' "$program" >>"${GITHUB_ENV:-/dev/null}"

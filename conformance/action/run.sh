#!/usr/bin/env bash
# Runs the program with the inputs of the action, writes every report that this version of it can write, and the
# summary of the step. Reads INPUT_* and SEAMCHECK; ends with the program's exit code.
set -euo pipefail

seamcheck=${SEAMCHECK:-seamcheck}
reports=${INPUT_REPORTS:-seamcheck-reports}
mkdir -p "$reports"

if [ -z "${INPUT_COMMAND:-}" ]; then
  printf '::error title=seamcheck::the input `command` is empty; give the command of the adapter\n'
  exit 2
fi
# The command is the workflow's own text, and is read as a shell would read it.
eval "adapter=($INPUT_COMMAND)"

known=$("$seamcheck" run --help)
knows() { grep -q -- "$1" <<<"$known"; }

options=(--json "$reports/certificate.json")
if knows '--junit'; then options+=(--junit "$reports/junit.xml"); fi
if knows '--html'; then options+=(--html "$reports/report.html"); fi
if knows '--markdown'; then options+=(--markdown "$reports/certificate.md"); fi
if knows '--github'; then options+=(--github); fi
for level in ${INPUT_LEVEL:-}; do options+=(--level "$level"); done
if [ -n "${INPUT_CASES:-}" ]; then options+=(--cases "$INPUT_CASES"); fi
if [ -n "${INPUT_SEED:-}" ]; then options+=(--seed "$INPUT_SEED"); fi
if [ -n "${INPUT_EXPECTATIONS:-}" ]; then options+=(--expectations "$INPUT_EXPECTATIONS"); fi

code=0
"$seamcheck" run "${options[@]}" -- "${adapter[@]}" >"$reports/certificate.txt" || code=$?
cat "$reports/certificate.txt"

{
  if knows '--github' && [ -s "$reports/certificate.json" ]; then
    : # The program has written the summary itself.
  elif [ -s "$reports/certificate.md" ]; then
    cat "$reports/certificate.md"
  elif [ -s "$reports/certificate.txt" ]; then
    printf '```text\n%s\n```\n' "$(cat "$reports/certificate.txt")"
  else
    printf 'Seamcheck printed no certificate (exit code %s); the log of the step says why.\n' "$code"
  fi
} >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
{
  printf 'exit-code=%s\n' "$code"
  if [ -s "$reports/certificate.json" ]; then printf 'certificate=%s\n' "$reports/certificate.json"; fi
} >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$code"

# What .ci/quick, .ci/run and .ci/long share. It is sourced and not run.

# Saves a quarter of the processor time of staticcheck, and some of compilers and tests.
export GOGC=400

STATICCHECK=honnef.co/go/tools/cmd/staticcheck@v0.8.2

# The W3C suite is not part of the project. Its tests run if it is in a folder
# next to it.
suite=${SCXML_W3C_SUITE:-../shared/w3c-irp}
if [ -f "$suite/tests.json" ]; then
  SCXML_W3C_SUITE=$(cd "$suite" && pwd)
  export SCXML_W3C_SUITE
else
  echo "== the W3C suite is not in $suite: its tests are skipped" >&2
fi

# step NAME begins a step and ends the one before. The time of each is printed
# when the script ends.
steps=() current='' began=0
work=$(mktemp -d)
step() {
  end_step
  current=$1 began=$SECONDS
  printf '\n== %s (%ss)\n' "$1" "$SECONDS"
}
end_step() {
  [ -z "$current" ] || steps+=("$(printf '%5ds  %s' $((SECONDS - began)) "$current")")
  current=''
}
print_steps() {
  local status=$?
  rm -rf "$work"
  [ "$status" = 0 ] || [ -z "$current" ] || echo "failed: $current"
  end_step
  if [ ${#steps[@]} -gt 0 ]; then
    printf '\n'
    printf '%s\n' "${steps[@]}"
    printf '%5ds  in all\n' "$SECONDS"
  fi
  return "$status"
}

# check_format fails if gofmt would change a file.
check_format() {
  local unformatted
  unformatted=$(gofmt -l "$@")
  if [ -n "$unformatted" ]; then
    echo "gofmt would change: $unformatted"
    return 1
  fi
}

# modules prints the folders of the modules inside of this one.
modules() { git ls-files -co --exclude-standard '*/go.mod' | xargs -n1 dirname | sort; }

# check_module vets a module.
check_module() (
  cd "$1"
  go mod tidy -diff
  go vet ./...
  go run "$STATICCHECK" ./...
)

# What .ci/quick, .ci/run and .ci/long share. It is sourced and not run.

# go vet has a step of its own, and finds more than go test does.
GOFLAGS="$(go env GOFLAGS) -vet=off"
export GOFLAGS
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
current='' began=0 other=''
work=$(mktemp -d)
step() {
  end_step 0
  current=$1 began=$SECONDS
  printf '\n== %s (%ss)\n' "$1" "$SECONDS"
}
end_step() {
  [ -n "$current" ] || return 0
  [ "$1" = 0 ] || echo "failed: $current"
  printf '%5ds  %s\n' $((SECONDS - began)) "$current" >>"$work/steps"
  current=''
}
print_steps() {
  local status=$?
  end_step "$status"
  if [ -n "$other" ]; then
    kill -- "-$other" 2>/dev/null || true
    if grep -qE '^ *--- FAIL|^failed' "$work/beside"; then
      printf '\n== the steps beside, as far as they came\n'
      cat "$work/beside"
    fi
  fi
  if [ -f "$work/steps" ]; then
    printf '\n'
    cat "$work/steps"
    printf '%5ds  in all\n' "$SECONDS"
  fi
  rm -rf "$work"
  return "$status"
}

# beside FUNC runs the steps of a function next to those that follow, in a process
# group of its own. meet waits for them, prints their output, and fails if they did.
beside() {
  end_step 0
  set -m
  (
    trap 'end_step $?' EXIT
    "$1"
  ) >"$work/beside" 2>&1 </dev/null &
  set +m
  other=$!
}
meet() {
  local status=0
  step "the steps beside"
  wait "$other" || status=$?
  other=''
  cat "$work/beside"
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

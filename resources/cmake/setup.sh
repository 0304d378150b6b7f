# Sourced by app/start and tests/run: the Debian packages, then a configured build/release.
# Sets $build, and $caller: the folder it was called from, by which the user's own file names are meant.
set -euo pipefail
caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$PWD/build/release

# Qt wants a private folder for what lives while it runs; a bare machine or a container has none.
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
  export XDG_RUNTIME_DIR=$build/runtime
  mkdir -p -m 700 "$XDG_RUNTIME_DIR"
fi

say() { echo "leasescope: $*"; }

# missing_packages LIST: a line of it is "name" or "name | name", of which the first that this Debian has is taken.
missing_packages() {
  local line name known
  while read -r line; do
    known=
    for name in ${line//|/ }; do
      # Installed counts whatever the archive says; dpkg-query also knows packages that were removed.
      if [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ]; then
        known=installed
        break
      fi
    done
    [ "$known" ] && continue
    for name in ${line//|/ }; do
      if [ -n "$(apt-cache show --no-all-versions "$name" 2>/dev/null | head -c 1)" ]; then
        known=$name
        break
      fi
    done
    echo "${known:-${line%% *}}"
  done < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$1")
}

# install_packages [LIST]: of what everybody needs, or of a list of more.
install_packages() {
  local list=${1:-resources/packages.txt} missing=() as_root=()
  mapfile -t missing < <(missing_packages "$list")
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" != 0 ]; then
    # A sudo that asks for a password may do so at a terminal only: in a pipeline it would look hung.
    if sudo -n true 2>/dev/null || { [ -t 0 ] && command -v sudo >/dev/null && sudo -v; }; then
      as_root=(sudo)
    else
      say "these Debian packages are missing and this user may not install them. As root, run" >&2
      echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
      say "and start again." >&2
      exit 1
    fi
  fi
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  # An archive list that was not there before may offer another of the alternatives.
  mapfile -t missing < <(missing_packages "$list")
  # The packaged servers are programs to us: a database cluster of their own is neither needed nor wanted.
  if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    "${as_root[@]}" mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" | "${as_root[@]}" tee /etc/postgresql-common/createcluster.conf >/dev/null
  fi
  local log
  log=$(mktemp)
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confold "${missing[@]}" </dev/null >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    say "the packages could not be installed (the whole log: $log)" >&2
    exit 1
  fi
  rm -f "$log"
}

configure() {
  say "configuring $build"
  local log=$build/configure.log
  mkdir -p "$build"
  # After a pull there may be new files, which AUTOMOC overlooks (resources/cmake/Automoc.cmake); looking again takes a second.
  find "$build" -path '*_autogen/timestamp' -delete
  if ! cmake --preset release >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
}

# compile TARGET…: builds; what the compiler says is shown only when it fails.
compile() {
  local log=$build/build.log started=$SECONDS
  say "building $* (the log: $log)"
  if ! cmake --build "$build" --target "$@" >"$log" 2>&1; then
    grep -E -A 12 'FAILED:|error|Error' "$log" | sed -n 1,80p >&2  # head would end grep by a signal, and us with its code
    say "the build failed; the whole log: $log" >&2
    exit 1
  fi
  say "built in $((SECONDS - started)) s"
}

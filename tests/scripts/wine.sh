# Sourced: runs programs for Windows under wine, in a prefix of this build's own.
#   prepare_wine DIR          the prefix is DIR/prefix, made if it is not there
#   make_wrapper FILE EXE     FILE is then EXE as a command of this system
export WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES='mscoree,mshtml=' # no packages that wine would like to fetch
unset DISPLAY WAYLAND_DISPLAY
wine_loader=$(command -v wine64 || echo /usr/lib/wine/wine64)
wine_server=$(command -v wineserver || echo /usr/lib/wine/wineserver)

prepare_wine() {
  export WINEPREFIX=$1/prefix
  mkdir -p "$1"
  [[ -f $WINEPREFIX/system.reg ]] || "$wine_loader" wineboot -i >"$1/boot.log" 2>&1
  "$wine_server" -p 300 # it stays between commands, which takes half of the time of each
}

make_wrapper() {
  printf '#!/bin/sh\nexport WINEPREFIX="%s"\nexec "%s" "%s" "$@"\n' "$WINEPREFIX" "$wine_loader" "$2" >"$1"
  chmod +x "$1"
}

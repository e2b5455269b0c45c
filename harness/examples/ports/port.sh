#!/bin/sh
# A port in POSIX shell, of one capability, without a JSON reader: oracles/specs/economy/compute_refinery_pile.md. Lines of the
# harness are compact and their keys stand in order, so they can be cut.
#
#     assay port check 'sh harness/examples/ports/port.sh'
#     assay verify --port 'sh harness/examples/ports/port.sh' compute_refinery_pile

# The number of argument $1 in $input; empty if it is not there.
number() {
  case $input in
    *"\"$1\":"*) value=${input#*"\"$1\":"} value=${value%%[,\}]*} ;;
    *) value= ;;
  esac
}

refuse() {
  printf '{"id":%s,"error":{"errno":"EINVAL","field":"%s","message":"%s"}}\n' "$id" "$1" "$2"
}

pile() {
  number stored && stored=$value
  number capacity && capacity=$value
  case $input in
    *'"stored":'*'"capacity":'* | *'"capacity":'*'"stored":'*) ;;
    *) refuse stored "stored and capacity are needed" && return ;;
  esac
  tier=0
  if [ "$stored" -ne 0 ]; then
    # A shift of 32 bits drops what does not fit; the shell counts in 64.
    quarters=$(((stored * 4 + 2147483648 & 4294967295) - 2147483648))
    if [ "$capacity" -eq 0 ] || { [ "$quarters" -eq -2147483648 ] && [ "$capacity" -eq -1 ]; }; then
      refuse capacity "the processor cannot divide by this" && return
    fi
    tier=$((quarters / capacity))
  fi
  if [ "$tier" -lt 0 ]; then
    printf '{"id":%s,"ok":{"tier":%s}}\n' "$id" "$tier"
  else
    printf '{"id":%s,"ok":{"tier":%s,"slot":%s}}\n' "$id" "$tier" $((3 + (tier < 3 ? tier : 3)))
  fi
}

while IFS= read -r line; do
  case $line in
    '{"run":{"id":'*)
      id=${line#'{"run":{"id":'} id=${id%%,*}
      name=${line#*'"capability":"'} name=${name%%'"'*}
      input=${line#*'"input":'}
      case $name in
        compute_refinery_pile) pile ;;
        *) printf '{"id":%s,"skip":"%s is not done"}\n' "$id" "$name" ;;
      esac
      ;;
    '{"hello":'*)
      printf '{"hello":{"protocol":1,"name":"example-shell","language":"POSIX shell","version":"1",'
      printf '"capabilities":[{"name":"compute_refinery_pile","games":["YR"]}]}}\n'
      ;;
    '{"bye":'*) exit 0 ;;
    *) echo "no message: $line" >&2 ;;
  esac
done

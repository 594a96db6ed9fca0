# Completion for bash. It asks the tool what it knows, so that it is never out of date.
_bohr_options() { bohr "$1" --help 2>/dev/null | grep -oE -- '^  (-[a-z], )?--[a-z-]+' | grep -oE -- '--?[a-z][a-z-]*'; }

# The words that an option takes: those of its line in --help, or of a list.
_bohr_values() {
    case $2 in
    -s | --strategy) bohr list strategies | cut -d' ' -f1 ;;
    --detect) bohr list detectors | cut -d' ' -f1 ;;
    --priority) bohr list priorities | cut -d' ' -f1 ;;
    *) bohr "$1" --help 2>/dev/null | sed -nE "s/^  (-[a-z], )?$2 \[?([a-z|]*\|[a-z|]*).*/\2/p" | tr '|' '\n' ;;
    esac
}

_bohr() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} values
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "run replay explain plot cc c++ list help version" -- "$word"))
    elif [ "$command" = list ]; then
        COMPREPLY=($(compgen -W "strategies detectors functions priorities reports" -- "$word"))
    elif [ "$command" = cc ] || [ "$command" = c++ ]; then
        COMPREPLY=($(compgen -f -- "$word"))
    elif [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(_bohr_options "$command")" -- "$word"))
    elif [[ $before == -* ]] && values=$(_bohr_values "$command" "$before") && [ -n "$values" ]; then
        COMPREPLY=($(compgen -W "$values" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _bohr bohr

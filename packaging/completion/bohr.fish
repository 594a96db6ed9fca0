# Completion for fish. It asks the tool what it knows, so that it is never out of date.
function __bohr_options
    set -l words (commandline -opc)
    bohr $words[2] --help 2>/dev/null | string match -rg '^  (?:-[a-z], )?(--[a-z-]+)(?: [^ ]+)? +(.*)$' |
        while read -l name
            read -l help
            printf '%s\t%s\n' $name $help
        end
end

function __bohr_values
    set -l words (commandline -opc)
    switch $words[-1]
        case -s --strategy
            bohr list strategies | string match -r '^\S+'
        case --detect
            bohr list detectors | string match -r '^\S+'
        case --priority
            bohr list priorities | string match -r '^\S+'
        case '-*'
            bohr $words[2] --help 2>/dev/null |
                string match -rg "^  (?:-[a-z], )?$words[-1] \\[?([a-z|]*\|[a-z|]*)" | string split '|'
    end
end

complete -c bohr -n 'test (count (commandline -opc)) -eq 1' -f -a 'run replay explain plot cc c++ list help version'
complete -c bohr -n '__fish_seen_subcommand_from list' -f -a 'strategies detectors functions priorities reports'
complete -c bohr -n '__fish_seen_subcommand_from run replay explain plot' -a '(__bohr_options)'
complete -c bohr -n '__fish_seen_subcommand_from run replay explain' -a '(__bohr_values)'

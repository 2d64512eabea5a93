import ScenarioReporting

/// Prints a script that makes a shell complete the command.
struct CompletionsCommand {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  let options: CommandOptions
  let context: CommandContext

  func run() throws(CommandFailure) -> CommandOutcome {
    guard options.words.count == 1, let shell = Shell(rawValue: options.words[0]) else {
      throw CommandFailure("completions takes the name of a shell: bash, zsh or fish.")
    }
    return context.answer(CompletionScript(shell: shell).text)
  }
}

/// The script, made from the table of options.
struct CompletionScript {
  let shell: CompletionsCommand.Shell

  var text: String {
    switch shell {
    case .bash: bash
    case .zsh: "autoload -U +X bashcompinit && bashcompinit\n" + bash
    case .fish: fish
    }
  }

  private var subcommands: [String] {
    CommandOptions.Subcommand.allCases.filter { $0 != .run }.map(\.rawValue)
  }

  private var bash: String {
    let cases = CommandOptions.Subcommand.allCases.map { subcommand in
      let names = OptionTable.all.filter { $0.subcommands.contains(subcommand) }.map(\.name)
      let pattern = subcommand == .run ? "*" : subcommand.rawValue
      return "    \(pattern)) options=\"\(names.joined(separator: " "))\" ;;"
    }
    // The pattern of `run` matches everything, so it comes last.
    let ordered = cases.dropFirst() + cases.prefix(1)
    return """
      _scenario_run() {
        local word="${COMP_WORDS[COMP_CWORD]}" options="" name
        case "${COMP_WORDS[1]}" in
      \(ordered.joined(separator: "\n"))
        esac
        if [[ "$word" == -* ]]; then
          COMPREPLY=($(compgen -W "$options" -- "$word"))
        else
          # A name may have blanks; the bash of macOS has no mapfile.
          COMPREPLY=()
          while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$word")
          if [[ $COMP_CWORD -eq 1 ]]; then
            COMPREPLY+=($(compgen -W "\(subcommands.joined(separator: " "))" -- "$word"))
          fi
        fi
      }
      complete -o filenames -F _scenario_run scenario-run

      """
  }

  private var fish: String {
    let words =
      "complete -c scenario-run -n __fish_use_subcommand -a '"
      + subcommands.joined(separator: " ") + "'\n"
    let options = OptionTable.all.map { option in
      let value = option.valueName == nil ? "" : " -r"
      let short = option.shortName.map { " -s \($0.dropFirst())" } ?? ""
      let help = option.help.replacing("'", with: "\\'")
      return "complete -c scenario-run\(condition(option)) -l \(option.name.dropFirst(2))\(short)"
        + "\(value) -d '\(help)'\n"
    }
    return words + options.joined()
  }

  private func condition(_ option: OptionSpecification) -> String {
    if option.subcommands.contains(.run) { return "" }
    let names = option.subcommands.map(\.rawValue).sorted().joined(separator: " ")
    return " -n '__fish_seen_subcommand_from \(names)'"
  }
}

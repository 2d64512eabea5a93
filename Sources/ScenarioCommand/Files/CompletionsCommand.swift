import ScenarioCore
import ScenarioReporting

/// Prints a script that makes a shell complete the command.
struct CompletionsCommand {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  let options: CommandOptions
  let context: CommandContext

  func run() throws(CommandFailure) -> ExitCode {
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
      let words = subcommand.firstWords.joined(separator: " ")
      return "    \(pattern)) options=\"\(names.joined(separator: " "))\" words=\"\(words)\" ;;"
    }
    // The pattern of `run` matches everything, so it comes last.
    let ordered = cases.dropFirst() + cases.prefix(1)
    return """
      _scenario_run() {
        local word="${COMP_WORDS[COMP_CWORD]}" options="" words="" name
        case "${COMP_WORDS[1]}" in
      \(ordered.joined(separator: "\n"))
        esac
        if [[ "$word" == -* ]]; then
          COMPREPLY=($(compgen -W "$options" -- "$word"))
        elif [[ $COMP_CWORD -eq 2 && -n "$words" ]]; then
          COMPREPLY=($(compgen -W "$words" -- "$word"))
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
    let firstWords = CommandOptions.Subcommand.allCases.filter { !$0.firstWords.isEmpty }.map {
      "complete -c scenario-run -f -n '__fish_seen_subcommand_from \($0.rawValue); "
        + "and test (count (commandline -opc)) -eq 2' -a '"
        + $0.firstWords.joined(separator: " ") + "'\n"
    }
    let options = OptionTable.all.map { option in
      let value = option.valueName == nil ? "" : " -r"
      let short = option.shortName.map { " -s \($0.dropFirst())" } ?? ""
      let help = option.help.replacing("'", with: "\\'")
      return "complete -c scenario-run\(condition(option)) -l \(option.name.dropFirst(2))\(short)"
        + "\(value) -d '\(help)'\n"
    }
    return words + firstWords.joined() + options.joined()
  }

  /// An option of `run`, which has no word of its own, is everybody's who doesn't refuse it.
  private func condition(_ option: OptionSpecification) -> String {
    let isOfRun = option.subcommands.contains(.run)
    let named = CommandOptions.Subcommand.allCases.filter {
      $0 != .run && option.subcommands.contains($0) != isOfRun
    }
    let names = named.map(\.rawValue).joined(separator: " ")
    return names.isEmpty ? "" : " -n '\(isOfRun ? "not " : "")__fish_seen_subcommand_from \(names)'"
  }
}

extension CommandOptions.Subcommand {
  /// What its first word can be, where that isn't a path.
  fileprivate var firstWords: [String] {
    switch self {
    case .completions: CompletionsCommand.Shell.allCases.map(\.rawValue)
    case .schema: SchemaSubject.allCases.map(\.rawValue)
    case .sweep: SweepKind.allCases.map(\.rawValue)
    case .run, .validate, .list, .explain, .play, .record, .review, .import, .audit, .compare,
      .merge:
      []
    }
  }
}

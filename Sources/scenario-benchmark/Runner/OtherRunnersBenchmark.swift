import Foundation

/// The same launches by runners of other people, where they are installed.
enum OtherRunnersBenchmark: Benchmark {
  static let name = "others"
  private static let count = 400
  private static let rounds = 3

  static func run(_ write: (String) -> Void) throws {
    try BenchmarkPrograms.check(["scenario-run", "trivial-app"])
    try BenchmarkFolder.use { try measure($0, write) }
  }

  private static func measure(_ folder: String, _ write: (String) -> Void) throws {
    let jobs = 2
    let scenario = try SampleApp.trivial.scenario(in: folder)
    let suite = OtherSuite(scenario: scenario, folder: folder, count: count)
    var contestants: [(title: String, run: () throws -> Double)] = [
      ("a bare loop of posix_spawn", { try scenario.bareLoop(count, jobs: jobs).run() }),
      ("scenario-run", try contestant(scenario.runner(scenario.writeCopies(count), jobs: jobs))),
    ]
    for runner in OtherRunner.allCases {
      guard let program = runner.installedPath else {
        write("others: \(runner.rawValue) is not installed, so it is not measured")
        continue
      }
      let run = try contestant(suite.child(runner, program, jobs))
      do {
        _ = try run()
        contestants.append((runner.title(jobs), run))
      } catch {
        let remedy = runner == .pytest ? " It needs pytest-xdist." : ""
        write("others: \(error) So \(runner.rawValue) is not measured.\(remedy)")
      }
    }
    var best = [Double](repeating: .infinity, count: contestants.count)
    for _ in 0..<rounds {
      for (index, contestant) in contestants.enumerated() {
        best[index] = min(best[index], try contestant.run())
      }
    }
    for (index, contestant) in contestants.enumerated() {
      write(
        "others: \(contestant.title): \(count) launches of a trivial app in "
          + "\(Measurement.text(best[index], 3)) s, "
          + "\(Measurement.text(best[index] / best[0])) × the bare loop, "
          + "\(Measurement.text(best[index] / best[1])) × scenario-run")
    }
  }

  private static func contestant(_ child: ChildProcess) -> () throws -> Double {
    {
      let cost = try child.run()
      guard cost.exitCode == 0 else {
        throw BenchmarkFailure("\(child.program) ended with \(cost.exitCode).")
      }
      return cost.seconds
    }
  }
}

enum OtherRunner: String, CaseIterable {
  case bats, lit, pytest

  func title(_ jobs: Int) -> String {
    switch self {
    // One after the other: with --jobs, which takes GNU parallel, it is four times slower.
    case .bats: "bats"
    case .lit: "lit -j \(jobs)"
    case .pytest: "pytest -n \(jobs)"
    }
  }

  /// In `PATH`.
  var installedPath: String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(rawValue)" }.first { access($0, X_OK) == 0 }
  }
}

/// The same launches, written down for the other runners: each feeds the app the same bytes, and
/// checks its exit code and that it recorded one request.
struct OtherSuite {
  let scenario: BenchmarkedScenario
  let folder: String
  let count: Int

  func child(_ runner: OtherRunner, _ program: String, _ jobs: Int) throws -> ChildProcess {
    let own = folder + "/" + runner.rawValue
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    try Data(try scenario.requests.joined()).write(to: URL(filePath: own + "/input"))
    switch runner {
    case .bats:
      try write(bats(own), to: own + "/launches.bats")
      return ChildProcess(program: program, arguments: [own + "/launches.bats"])
    case .lit:
      try write(litConfiguration, to: own + "/lit.cfg.py")
      for index in 0..<count {
        try write("RUN: " + command(own) + "\n", to: "\(own)/\(index).test")
      }
      return ChildProcess(program: program, arguments: ["-q", "-j", "\(jobs)", own])
    case .pytest:
      try write(pytest(own), to: own + "/test_launches.py")
      return ChildProcess(
        program: program,
        arguments: ["-q", "-p", "no:cacheprovider", "-n", "\(jobs)", own + "/test_launches.py"])
    }
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  /// A shared folder of its own, the app, and one line in the store.
  private func command(_ own: String) -> String {
    "shared=$(mktemp -d) && SIMULATOR_SHARED_RESOURCES_DIRECTORY=$shared \(scenario.app) "
      + "< \(own)/input > /dev/null && test $(wc -l < $shared/storedRequests.jsonl) -eq 1 "
      + "&& rm -r $shared"
  }

  private func bats(_ own: String) -> String {
    (0..<count).map { "@test \"launch \($0)\" {\n  \(command(own))\n}\n" }.joined()
  }

  private var litConfiguration: String {
    """
    import lit.formats
    config.name = "launches"
    config.suffixes = [".test"]
    try:
        config.test_format = lit.formats.ShTest(True, force_execute_external=True)
    except TypeError:  # before version 23
        config.test_format = lit.formats.ShTest(True)
    """
  }

  private func pytest(_ own: String) -> String {
    """
    import os, subprocess
    import pytest

    INPUT = open("\(own)/input", "rb").read()

    @pytest.mark.parametrize("number", range(\(count)))
    def test_launch(number, tmp_path):
        environment = {"PATH": "/usr/bin:/bin", "SIMULATOR_SHARED_RESOURCES_DIRECTORY": str(tmp_path)}
        subprocess.run(["\(scenario.app)"], input=INPUT, capture_output=True, check=True, env=environment)
        assert len(open(tmp_path / "storedRequests.jsonl").readlines()) == 1
    """
  }
}

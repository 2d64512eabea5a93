// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "scenario-run",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "AppHarness", targets: ["AppHarness"]),
    .library(name: "ScenarioTesting", targets: ["ScenarioTesting"]),
    .executable(name: "scenario-run", targets: ["scenario-run"]),
    .executable(name: "demo-app", targets: ["demo-app"]),
    .plugin(name: "ScenarioRunPlugin", targets: ["ScenarioRunPlugin"]),
  ],
  targets: [
    // Shared by the app's side and the runner's side.
    .target(name: "CSystem"),
    .target(name: "JSON"),
    .target(name: "SourceText"),
    .target(name: "HarnessProtocol", dependencies: ["CSystem", "JSON"]),
    .target(name: "RequestMatching", dependencies: ["CSystem", "JSON", "SourceText"]),
    .target(name: "StubMappings", dependencies: ["JSON", "SourceText", "RequestMatching"]),

    // The app's side: never links the runner, which never links `CAppWorld`: that stands between the
    // program that it is linked into and its libraries.
    .target(name: "CAppWorld"),
    .target(
      name: "AppHarness",
      dependencies: [
        "CAppWorld", "CSystem", "JSON", "SourceText", "HarnessProtocol", "RequestMatching",
        "StubMappings",
      ]),
    .target(name: "DemoApp", dependencies: ["AppHarness"]),
    .executableTarget(name: "demo-app", dependencies: ["DemoApp", "AppHarness"]),

    // The runner's side.
    .target(name: "CSupervision"),
    .target(
      name: "ScenarioCore",
      dependencies: ["JSON", "SourceText", "HarnessProtocol", "RequestMatching", "StubMappings"]),
    .target(
      name: "ScenarioRunner",
      dependencies: [
        "JSON", "ScenarioCore", "SourceText", "HarnessProtocol", "CSupervision",
      ]),
    .target(
      name: "ScenarioAuthoring",
      dependencies: [
        "JSON", "ScenarioCore", "SourceText", "HarnessProtocol", "RequestMatching", "StubMappings",
      ]),
    .target(
      name: "ScenarioReporting",
      dependencies: [
        "CSystem", "JSON", "ScenarioAuthoring", "ScenarioCore", "SourceText", "HarnessProtocol",
        "RequestMatching",
      ]),
    .target(
      name: "ScenarioCommand",
      dependencies: [
        "JSON", "SourceText", "HarnessProtocol", "ScenarioCore", "ScenarioRunner",
        "ScenarioAuthoring", "ScenarioReporting",
      ]),
    .executableTarget(name: "scenario-run", dependencies: ["ScenarioCommand"]),
    .plugin(
      name: "ScenarioRunPlugin",
      capability: .command(
        intent: .custom(
          verb: "scenario-run", description: "Builds the package and runs scenarios with it."),
        permissions: [
          .writeToPackageDirectory(reason: "Reports, drafts and what failed are written there.")
        ]), path: "Sources/ScenarioRunPlugin"),
    .target(
      name: "ScenarioTesting",
      dependencies: ["SourceText", "ScenarioCore", "ScenarioRunner", "ScenarioReporting"]),

    // What it costs.
    .executableTarget(
      name: "scenario-benchmark",
      dependencies: ["HarnessProtocol", "ScenarioCore", "ScenarioRunner", "CSupervision"]),
    .executableTarget(name: "trivial-app"),

    // Tests.
    .target(name: "TestSupport", path: "Tests/Support/test-support"),
    .executableTarget(
      name: "faulty-app", dependencies: ["JSON"],
      path: "Tests/Support/faulty-app"),
    .executableTarget(
      name: "settling-app", dependencies: ["AppHarness", "ForeignCalls"],
      path: "Tests/Support/settling-app"),
    .target(name: "ForeignCalls", path: "Tests/Support/foreign-calls"),
    .executableTarget(
      name: "outgoing-app", dependencies: ["JSON", "HarnessProtocol"],
      path: "Tests/Support/outgoing-app"),
    .executableTarget(name: "launch-without", path: "Tests/Support/launch-without"),
    .testTarget(name: "JSONTests", dependencies: ["JSON"]),
    .testTarget(name: "SourceTextTests", dependencies: ["SourceText", "ScenarioReporting"]),
    .testTarget(name: "HarnessProtocolTests", dependencies: ["HarnessProtocol", "TestSupport"]),
    .testTarget(
      name: "RequestMatchingTests", dependencies: ["JSON", "RequestMatching", "SourceText"],
      exclude: ["JSONPathCompliance"]),
    .testTarget(
      name: "StubMappingsTests", dependencies: ["StubMappings"], exclude: ["Captures"]),
    .testTarget(
      name: "ScenarioCoreTests",
      dependencies: ["ScenarioCore", "StubMappings", "ScenarioReporting"],
      exclude: ["Decoding/Goldens"]),
    .testTarget(
      name: "ScenarioAuthoringTests",
      dependencies: ["ScenarioAuthoring", "ScenarioReporting", "ScenarioRunner"]),
    .testTarget(
      name: "ScenarioRunnerTests",
      dependencies: [
        "ScenarioRunner", "CSupervision", "TestSupport", "faulty-app", "outgoing-app",
      ]),
    .testTarget(name: "ScenarioReportingTests", dependencies: ["ScenarioReporting"]),
    .testTarget(name: "ScenarioCommandTests", dependencies: ["ScenarioCommand", "TestSupport"]),
    .testTarget(name: "AppHarnessTests", dependencies: ["AppHarness", "ScenarioCore"]),
    .testTarget(name: "DemoAppTests", dependencies: ["DemoApp", "AppHarness"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "CSupervision", "JSON", "SourceText", "StubMappings", "ScenarioCore", "ScenarioRunner",
        "ScenarioTesting", "TestSupport", "scenario-run", "demo-app", "faulty-app", "settling-app",
        "outgoing-app", "launch-without",
      ],
      exclude: [
        "Demo/Twins", "Documentation/Surroundings.swift", "Command/Descriptors",
        "Settling/every-kind.json", "Settling/clock.json",
        "Settling/endless.json", "Settling/attribution.json", "Settling/order-in-one-step.json",
        "Settling/order-in-many-steps.json", "Settling/blocked-threads.json",
        "Settling/request-after-wait.json", "Settling/children-that-stay.json",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
